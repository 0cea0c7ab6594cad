import { randomUUID } from 'node:crypto'
import { expect, expectAccessible, test } from '../test/harness/browser.ts'
import { openOrder, submitOrder } from './order.ts'
import { openPayments, recordPayment } from './payments.ts'

// Uses its own app, so that the list contains only these payments.
test.use({ environment: { JOURNEYS: 'pace' } })

type Kind = 'exact' | 'short' | 'over' | 'repaired'
const kinds: Kind[] = Array.from({ length: 30 }, (_, i) =>
  i % 10 === 3 ? 'short' : i % 10 === 6 ? 'over' : i % 10 === 9 ? 'repaired' : 'exact',
)

test('30 payments are decided by keyboard alone: exact ones with one key press, others with two @proof', async ({
  page,
  register,
  newCaller,
  signInAdmin,
}) => {
  test.setTimeout(300_000)
  const admin = await signInAdmin(page)
  const payers = new Map<string, Kind>()
  for (const kind of kinds) {
    const customer = (await register({}, await newCaller())).page
    const order = await openOrder(customer)
    await submitOrder(customer, order, { paymentMethod: 'cashapp', paymentNote: order.invoiceNumber })
    const payer = `${kind} ${randomUUID().slice(0, 8)}`
    const difference = kind === 'short' ? -500 : kind === 'over' ? 500 : 0
    const { invoiceNumber } = order
    // Two characters swapped, as in a typing error.
    const typo = invoiceNumber.replace(/(.)(.)(..)$/, '$2$1$3')
    await recordPayment(admin, payer, order.plan.price + difference, kind === 'repaired' ? typo : invoiceNumber)
    payers.set(payer, kind)
  }

  await openPayments(admin)
  const rows = admin.locator('.payment-row')
  await expect(rows).toHaveCount(30)
  await rows.first().focus()
  const times: number[] = []
  let presses = 0
  for (let left = 30; left > 0; left--) {
    const began = performance.now()
    const current = admin.locator('.payment-row:focus')
    await expect(current).toBeVisible()
    // A person reads what the decision does before pressing the key.
    await expect(admin.getByRole('heading', { name: 'What this does' })).toBeVisible()
    const needsTwo = !(await current.innerText()).includes('Exact match')
    await admin.keyboard.press('Enter')
    presses++
    if (needsTwo) {
      await expect(admin.getByRole('button', { name: 'Press Enter Again' })).toBeVisible()
      await admin.keyboard.press('Enter')
      presses++
    }
    await expect(rows).toHaveCount(left - 1)
    times.push(performance.now() - began)
  }
  times.sort((a, b) => a - b)
  const median = (times[14]! + times[15]!) / 2
  console.log(
    `30 payments, ${presses} key presses: ${Math.round(median)} ms a decision in the median, ${Math.round(times[29]!)} ms at most, without reading`,
  )
  expect(median).toBeLessThan(5_000)
  await expectAccessible(admin)

  const tabs = await Promise.all(
    ['done', 'held'].map(async (tab) => (await admin.request.get(`/api/admin/payments?tab=${tab}`)).json()),
  )
  const decided = (tabs as { rows: { payerName: string }[] }[]).flatMap((tab) => tab.rows)
  expect(new Set(decided.map(({ payerName }) => payerName))).toEqual(new Set(payers.keys()))
})
