import { sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import type { CsvFile } from '#kit/download.ts'
import type { AnyEndpoint } from '#kit/endpoint.ts'
import { audit } from '../audit.ts'
import { type List, readAll } from '../lists/list.ts'
import { type Cells, csvText } from './csv.ts'
import { type AppContext, type HandlerContext, implement, type Route } from './route.ts'

type CsvEndpoint = AnyEndpoint & { access: 'admin'; file: 'text/csv'; query: z.core.$ZodType }
type AnyList<Row extends { id: number }> = List<Row, never, never>

/** Answers an endpoint made with `csvOf`: the whole list as filtered, while it is read. Who took which list with which filter is audited. */
export const exporting = <E extends CsvEndpoint, Row extends { id: number }>(
  endpoint: E,
  list: AnyList<Row> | ((house: AppContext) => AnyList<Row>),
  cells: Cells<Row>,
): Route =>
  exportingRows(
    endpoint,
    (house, query) => readAll(house.db, typeof list === 'function' ? list(house) : list, query as never),
    cells,
  )

/** The same for rows that stand in no table. */
export function exportingRows<E extends CsvEndpoint, Row>(
  endpoint: E,
  rowsOf: (house: AppContext, query: z.output<E['query']>) => AsyncIterable<Row[]>,
  cells: Cells<Row>,
): Route {
  const name = endpoint.path.replace(/^.*\/|\.csv$/g, '')
  const handler = async (context: HandlerContext<CsvEndpoint>): Promise<CsvFile> => {
    const { db, user, requestId, log, query } = context
    await audit(db, {
      actorId: user.id,
      action: 'list.export',
      targetType: 'list',
      targetId: name,
      after: query as Record<string, unknown>,
      requestId,
    })
    const [today] = (await db.execute<{ date: string }>(sql`select to_char(now(), 'YYYY-MM-DD') as date`)).rows
    return {
      name: `${name}-${today!.date}.csv`,
      text: csvText(rowsOf(context, query as never), cells, (error) =>
        log.error({ requestId, message: error.message }, 'an export broke off'),
      ),
    }
  }
  return implement(endpoint as CsvEndpoint, handler as never)
}
