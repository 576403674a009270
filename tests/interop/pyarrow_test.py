"""pyarrow reads a store: the Python that docs/formats/store.md shows finds the tables by the manifest."""

import glob

import sample_store

try:
    import pyarrow
    import pyarrow.parquet
except ImportError as problem:
    sample_store.require("pyarrow", problem)


class PyArrow(sample_store.SampleStore):
    def setUp(self):
        names = {}
        ((code, _),) = self.blocks("python")
        exec(code, names)  # defines read_table(store, table)
        self.table = lambda name: names["read_table"](".oscope", name)

    def test_traces_are_the_data_sets(self):
        found = {(row["run_id"], row["process"], row["thread"]): row["events"]
                 for row in self.table("traces").select(["run_id", "process", "thread", "events"]).to_pylist()}
        for key, events in self.expected_traces().items():
            self.assertEqual(found[key], events)

    def test_every_run_and_bug_is_there_once(self):
        runs = self.table("runs").column("run_id").to_pylist()
        self.assertEqual(len(runs), len(set(runs)))
        self.assertLessEqual(set(self.runs), set(runs))
        bugs = self.table("bugs").select(["project", "id"]).to_pylist()
        self.assertEqual(sorted((bug["project"], bug["id"]) for bug in bugs), sorted(self.bugs))

    def test_types(self):
        schema = self.table("runs").schema
        self.assertEqual(schema.field("run_id").type, pyarrow.uuid())
        self.assertEqual(schema.field("stored").type, pyarrow.timestamp("ns", tz="UTC"))
        self.assertEqual(schema.field("custom").type.item_type, pyarrow.string())

    def test_custom_fields_are_maps(self):
        for bug in self.table("bugs").select(["project", "id", "custom"]).to_pylist():
            self.assertEqual(dict(bug["custom"]), self.bugs[bug["project"], bug["id"]].get("custom", {}))

    def test_symbols(self):
        lines = {row["event"]: (row["file"], row["line"]) for row in self.table("symbols").to_pylist()}
        self.assertEqual(lines["wire::Buffer::grow"], ("wire/buffer.cc", 88))

    def test_page_checksums_are_there_and_right(self):
        for table in ("traces", "runs", "symbols", "bugs"):
            paths = glob.glob(f".oscope/segments/*.{table}.parquet")
            self.assertTrue(paths)
            for path in paths:
                pyarrow.parquet.read_table(path, page_checksum_verification=True)


if __name__ == "__main__":
    sample_store.run(PyArrow)
