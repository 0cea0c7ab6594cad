import { sql } from 'drizzle-orm'
import type { CsvFile } from '#kit/download.ts'
import type { AnyEndpoint, ParsedInput } from '#kit/endpoint.ts'
import { audit } from './audit.ts'
import { type Cells, csvText } from './csv.ts'
import { type HandlerContext, type House, implement, type Route } from './http.ts'
import { type Asked, type List, readAll } from './list.ts'

type CsvEndpoint = AnyEndpoint & { access: 'admin'; file: 'text/csv' }
type AnyList<Row extends { id: number }> = List<Row, never, never>

/** Answers an endpoint made with `csvOf`: the whole list as filtered, while it is read. Who took which list with which filter is audited. */
export function exporting<E extends CsvEndpoint, Row extends { id: number }>(
  endpoint: E,
  list: AnyList<Row> | ((house: House) => AnyList<Row>),
  cells: Cells<Row>,
): Route {
  const name = endpoint.path.replace(/^.*\/|\.csv$/g, '')
  const handler = async (context: HandlerContext<CsvEndpoint>): Promise<CsvFile> => {
    const { db, user, requestId, log } = context
    const { query } = context as unknown as ParsedInput<{ params: undefined; query: undefined; body: undefined }> & { query: Asked }
    await audit(db, { actorId: user.id, action: 'list.export', targetType: 'list', targetId: name, after: query, requestId })
    const [today] = (await db.execute<{ date: string }>(sql`select to_char(now(), 'YYYY-MM-DD') as date`)).rows
    const rows = readAll(db, typeof list === 'function' ? list(context) : list, query as never)
    return {
      name: `${name}-${today!.date}.csv`,
      text: csvText(rows, cells, (error) => log.error({ requestId, message: error.message }, 'an export broke off')),
    }
  }
  return implement(endpoint as CsvEndpoint, handler as never)
}
