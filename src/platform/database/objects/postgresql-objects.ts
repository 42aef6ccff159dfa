import { type RawBuilder, sql } from 'kysely';
import type { DatabaseObject } from './database-object.ts';

/**
 * Reads the objects of the schema that the tables are in, without what an extension owns and what the server makes itself.
 *
 * A definition has all that changes what an object does. It is printed by the server's own functions, in their form that
 * names no schema that is in the search_path. The order of texts (`collation`) is not in it: `doctor` checks that.
 */
export const readPostgresqlObjects: RawBuilder<DatabaseObject> = sql`
  with extended as (select classid, objid from pg_depend where deptype = 'e'),
  relations as (
    select * from pg_class c
    where c.relnamespace = to_regnamespace(quote_ident(current_schema()))
      and not exists (select from extended where classid = 'pg_class'::regclass and objid = c.oid)
  ),
  tables as (select * from relations where relkind in ('r', 'p', 'f'))
  select 'table' as "kind", relname::text as "name", relname::text as "table",
    concat_ws(', ', case relkind when 'r' then 'table' when 'p' then 'partitioned table' else 'foreign table' end,
      case relpersistence when 'u' then 'unlogged' end,
      case when relrowsecurity then 'row level security' end,
      case when relforcerowsecurity then 'forced' end,
      (select 'with the rows of ' || string_agg(inhrelid::regclass::text, ' ' order by 1)
        from pg_inherits where inhparent = t.oid having count(*) > 0)) as "definition"
  from tables t
  union all
  select 'view', relname, null, '' from relations where relkind in ('v', 'm')
  union all
  select 'sequence', relname, null, concat_ws(' ', format_type(s.seqtypid, null), s.seqstart, s.seqincrement,
    s.seqmin, s.seqmax, case when s.seqcycle then 'cycle' end)
  from relations r join pg_sequence s on s.seqrelid = r.oid
  where not exists (
    select from pg_depend where objid = r.oid and classid = 'pg_class'::regclass and deptype in ('a', 'i'))
  union all
  select 'column', attname, relname, concat_ws(' ', format_type(atttypid, atttypmod),
    case when attnotnull then 'not null' end, nullif(attidentity::text, ''), nullif(attgenerated::text, ''),
    'default ' || pg_get_expr(d.adbin, d.adrelid, true))
  from tables t join pg_attribute a on a.attrelid = t.oid and attnum > 0 and not attisdropped
  left join pg_attrdef d on d.adrelid = t.oid and d.adnum = attnum
  union all
  select case contype when 'f' then 'foreign key' else 'constraint' end, conname,
    coalesce((select relname from tables where oid = confrelid), relname), pg_get_constraintdef(c.oid, true)
  from pg_constraint c join tables t on t.oid = conrelid
  where contype in ('p', 'u', 'c', 'x', 'f')
  union all
  select 'index', i.relname, t.relname, pg_get_indexdef(indexrelid, 0, true)
  from pg_index join tables t on t.oid = indrelid join pg_class i on i.oid = indexrelid
  where not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))
  union all
  select 'trigger', tgname, relname, pg_get_triggerdef(g.oid, true)
    || case tgenabled when 'O' then '' when 'D' then ', disabled' else ', fires ' || tgenabled::text end
  from pg_trigger g join tables t on t.oid = tgrelid
  where not tgisinternal
    and not exists (select from extended where classid = 'pg_trigger'::regclass and objid = g.oid)
  union all
  select 'rule', rulename, relname, pg_get_ruledef(w.oid, true)
  from pg_rewrite w join tables t on t.oid = ev_class
  union all
  select 'policy', polname, relname, '' from pg_policy join tables t on t.oid = polrelid
  union all
  select 'function', proname || '(' || pg_get_function_identity_arguments(p.oid) || ')', null,
    concat_ws(' ', '(' || pg_get_function_arguments(p.oid) || ')', 'returns ' || pg_get_function_result(p.oid),
      lanname, case provolatile when 'i' then 'immutable' when 's' then 'stable' end,
      case when proisstrict then 'strict' end, case when prosecdef then 'security definer' end,
      'set ' || array_to_string(proconfig, ', '), prosrc)
  from pg_proc p join pg_language l on l.oid = prolang
  where pronamespace = to_regnamespace(quote_ident(current_schema()))
    and not exists (select from extended where classid = 'pg_proc'::regclass and objid = p.oid)`;
