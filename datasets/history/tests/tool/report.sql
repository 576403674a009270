create table t (id int);
-- keep this
insert into t values (1);
-- drop this
insert into t values (2);
