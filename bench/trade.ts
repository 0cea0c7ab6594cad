import type { HttpUser } from '../test/harness/http-user.ts'

const concurrency = 8

/** Runs `work` for each item, eight at a time. Returns the results in the order in which they completed. */
export async function inParallel<T, R>(list: T[], work: (each: T) => Promise<R>): Promise<R[]> {
  const left = [...list]
  const done: R[] = []
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (left.length > 0) done.push(await work(left.shift() as T))
    }),
  )
  return done
}

/** Returns the id of a plan on sale. */
export async function planOnSale(url: string): Promise<number> {
  return ((await (await fetch(`${url}/api/plans`)).json()) as { id: number }[])[0]!.id
}

/** Orders the plan and submits the payment. */
export async function order(url: string, buyer: HttpUser, planId: number): Promise<void> {
  const { status, body } = await buyer.send(url, 'POST', '/api/create-invoice', { planId, email: 'buyer@example.org' })
  if (status !== 200) throw new Error(`An order was refused: ${status} ${JSON.stringify(body)}`)
  const paid = await buyer.send(url, 'POST', '/api/submit-payment', {
    planId,
    paymentMethod: 'creditcard',
    invoiceNumber: body.invoiceNumber,
  })
  if (paid.status !== 200) throw new Error(`A payment was refused: ${paid.status} ${JSON.stringify(paid.body)}`)
}

/** Confirms the payment of an invoice. */
export async function confirm(url: string, cashier: HttpUser, id: number): Promise<void> {
  const { status, body } = await cashier.send(url, 'PUT', `/api/admin/invoices/${id}`, { status: 'paid' })
  if (status !== 200) throw new Error(`A confirmation was refused: ${status} ${JSON.stringify(body)}`)
}

/** Returns the ids of the newest invoices with a submitted payment that is not yet confirmed, at most `max`. */
export async function pendingInvoiceIds(url: string, cashier: HttpUser, max = 500): Promise<number[]> {
  const { body } = await cashier.send(
    url,
    'GET',
    `/api/admin/invoices?status=pending&sort=createdAt&order=desc&pageSize=${max}`,
  )
  return (body as unknown as { id: number }[]).map(({ id }) => id)
}
