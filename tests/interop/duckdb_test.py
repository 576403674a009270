"""DuckDB reads a store: the SQL that docs/formats/store.md shows gives the answers it shows, and traces are text."""

import datetime
import uuid

import sample_store

try:
    import duckdb
except ImportError as problem:
    sample_store.require("duckdb", problem)


class DuckDb(sample_store.SampleStore):
    def setUp(self):
        self.database = duckdb.connect()
        self.addCleanup(self.database.close)
        views = self.blocks("sql")[0][0]
        self.database.execute(views)

    def rows(self, sql):
        return self.database.execute(sql).fetchall()

    def test_the_documents_queries_give_the_documents_answers(self):
        queries = self.blocks("sql")[1:]
        self.assertGreaterEqual(len(queries), 4)
        for sql, answer in queries:
            with self.subTest(sql=sql):
                self.assertIsNotNone(answer, "the document shows no answer")
                self.assertEqual("".join(" | ".join(map(str, row)) + "\n" for row in self.rows(sql)), answer)

    def test_traces_are_the_data_sets(self):
        found = {(run_id, process, thread): events
                 for run_id, process, thread, events in self.rows("SELECT run_id, process, thread, events FROM traces")}
        for key, events in self.expected_traces().items():
            self.assertEqual(found[key], events)

    def test_run_ids_are_uuids_as_text(self):
        ids = {text for (text,) in self.rows("SELECT run_id::VARCHAR FROM runs")}
        self.assertLessEqual({str(run_id) for run_id in self.runs}, ids)

    def test_runs_traces_and_bugs_join(self):
        joined = self.rows("SELECT DISTINCT r.run_id, b.project, b.id, b.title FROM bugs b JOIN runs r ON (r.project, r.bug) = (b.project, b.id) "
                           "JOIN traces t USING (run_id) WHERE r.recorder = 'import:jsonl'")
        expected = {(run_id, run["project"], run["bug"], self.bugs[run["project"], run["bug"]]["title"])
                    for run_id, run in self.runs.items() if "bug" in run}
        self.assertEqual(set(joined), expected)

    def test_times_are_utc(self):
        found = {(project, bug): ns for project, bug, ns in self.rows("SELECT project, id, epoch_ns(created) FROM bugs")}
        for key, bug in self.bugs.items():
            at = datetime.datetime.fromisoformat(bug["created"].replace("Z", "+00:00"))
            self.assertEqual(found[key], int(at.timestamp()) * 10**9)

    def test_custom_fields_are_maps(self):
        found = {(project, bug): custom for project, bug, custom in self.rows("SELECT project, id, custom FROM bugs")}
        self.assertEqual(found, {key: bug.get("custom", {}) for key, bug in self.bugs.items()})

    def test_inputs_are_bytes(self):
        run_id = uuid.UUID("1a" + "0" * 30)
        (inputs,) = self.rows(f"SELECT inputs FROM runs WHERE run_id = '{run_id}'")[0]
        self.assertEqual(inputs, [{"name": given["name"], "bytes": given["text"].encode()} for given in self.runs[run_id]["inputs"]])


if __name__ == "__main__":
    sample_store.run(DuckDb)
