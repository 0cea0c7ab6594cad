import type pg from 'pg'

/**
 * Returns the schema of a database as text, one object per line, in an order that does not depend on how it was created: tables
 * with their columns in order, constraints, indexes, triggers, functions, sequences, comments, privileges and
 * extensions. Databases with the same text have the same schema. `migrations`, the list of applied migrations, is left
 * out. White space and comments in the body of a function are ignored.
 */
export async function dumpSchema(client: pg.Pool | pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ line: string }>(schema)
  return `${rows.map(({ line }) => withoutLayout(line)).join('\n')}\n`
}

const withoutLayout = (line: string): string =>
  line.startsWith('function ')
    ? line
        .replaceAll(/--.*$/gm, '')
        .replaceAll(/\s+/g, ' ')
        .replaceAll(/([([]) | (?=[)\]])/g, '$1')
    : line

const schema = `
  with own as (
    select c.* from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relname not in ('migrations', 'migrations_pkey')
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  ), functions as (
    select p.* from pg_proc p
    where p.pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  ), lines (kind, of, line) as (
    select 1, relname, format('relation %s kind=%s persistence=%s options=%s privileges=%s rls=%s', relname, relkind, relpersistence, reloptions, relacl, relrowsecurity)
    from own where relkind <> 'i'
    union all
    select 2, c.relname || lpad(place::text, 4, '0'), format('column %s.%s %s%s%s%s%s%s privileges=%s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
      case when a.attcollation <> t.typcollation then ' collate ' || a.attcollation::regcollation end, case when a.attnotnull then ' not null' end,
      case when a.attidentity <> '' then ' identity ' || a.attidentity::text end, case when a.attgenerated <> '' then ' generated ' || a.attgenerated::text end,
      ' default ' || pg_get_expr(d.adbin, d.adrelid), a.attacl)
    from own c
      cross join lateral (select *, row_number() over (order by attnum) as place from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped) a
      join pg_type t on t.oid = a.atttypid
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relkind = 'r'
    union all
    select 3, c.relname || ' ' || conname, format('constraint %s.%s %s', c.relname, conname, pg_get_constraintdef(n.oid))
    from pg_constraint n join own c on c.oid = n.conrelid where contype <> 'n'
    union all
    select 4, c.relname, format('index %s options=%s', pg_get_indexdef(c.oid), reloptions) from own c where relkind = 'i'
    union all
    select 5, c.relname || ' ' || tgname, format('trigger %s enabled=%s', pg_get_triggerdef(t.oid), tgenabled)
    from pg_trigger t join own c on c.oid = t.tgrelid where not tgisinternal
    union all
    select 6, proname || oid::regprocedure, format('function %s privileges=%s', pg_get_functiondef(oid), proacl) from functions
    union all
    select 7, c.relname, format('sequence %s %s start=%s by=%s min=%s max=%s cycle=%s owner=%s', c.relname, format_type(seqtypid, null), seqstart, seqincrement, seqmin, seqmax,
      seqcycle, (select refobjid::regclass || '.' || attname from pg_depend join pg_attribute on attrelid = refobjid and attnum = refobjsubid where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'i'))
    from pg_sequence s join own c on c.oid = s.seqrelid
    union all
    select 8, d.description, format('comment on %s: %s', pg_describe_object(d.classoid, d.objoid, d.objsubid), d.description)
    from pg_description d where d.objoid in (select oid from own union select oid from functions)
    union all
    select 8, extname, format('extension %s in %s', extname, extnamespace::regnamespace) from pg_extension
    union all
    select 9, typname, format('type %s', typname) from pg_type where typnamespace = 'public'::regnamespace and typrelid = 0 and typelem = 0
      and not exists (select from pg_depend d where d.classid = 'pg_type'::regclass and d.objid = pg_type.oid and d.deptype = 'e')
    union all
    select 9, polname, format('policy %s', polname) from pg_policy
    union all
    select 9, stxname, format('statistics %s', pg_get_statisticsobjdef(oid)) from pg_statistic_ext
    union all
    select 9, defaclrole::text, format('default privileges %s', defaclacl) from pg_default_acl
  )
  select line from lines order by kind, of collate "C", line collate "C"`
