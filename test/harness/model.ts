import { percentOf } from '#kit/money.ts'
import { amountOf, day, type Invoice, isOpen, later, newInvoice, type Plan } from './model-invoice.ts'
import { isSamePlanAndPeriod, nothing, periodsOf, type State, Timeline, type TimelineAction } from './model-time.ts'

/** What one referred customer should have after all requests so far. Written from the decision records, independently of the product's code. */
export class Model {
  now: string
  /** The columns of the customer's row. The passing of time changes them only when a job runs. */
  sub = nothing
  time = new Timeline()
  balance = 0
  /** The referrer's balance, and the bonus of the customer's first payment, which is pending until the money-back guarantee has ended. */
  bonus = 0
  rewarded: { invoice: Invoice; cents: number; at: string; booked: boolean } | null = null
  invoices: Invoice[] = []
  trials: { id: number; status: 'pending' | 'approved' | 'denied'; at: string }[] = []
  notes = { reports: 0, inquiries: 0, watched: false, fullName: null as string | null, role: 'user' }
  password = 'correct horse'
  plans: Plan[]
  constructor(now: string, plans: Plan[]) {
    this.now = now
    this.plans = plans
  }

  get runs() {
    return this.sub.status === 'active' && this.time.left(this.now).length > 0
  }
  isLate = (invoice: Invoice) => isOpen(invoice) && invoice.expiresAt <= this.now
  openChange = () => this.invoices.find((invoice) => invoice.kind === 'plan_change' && isOpen(invoice))
  free(except: Invoice) {
    const promised = this.invoices
      .filter((invoice) => invoice !== except && isOpen(invoice) && !this.isLate(invoice))
      .reduce((sum, { credit }) => sum + credit, 0)
    return Math.max(0, this.balance - promised)
  }
  setCredit(invoice: Invoice, use: boolean) {
    const credit = use ? Math.min(invoice.due, this.free(invoice)) : 0
    if (credit !== invoice.credit && !(isOpen(invoice) && (invoice.status === 'draft' || !invoice.submitted)))
      return 409
    invoice.credit = credit
    return 200
  }
  add(plan: Plan, over: Partial<Invoice>): Invoice {
    const invoice = newInvoice(plan, this.now, over)
    this.invoices.push(invoice)
    return invoice
  }

  order(plan: Plan, use: boolean) {
    const open = this.invoices.find((invoice) => invoice.kind === 'purchase' && invoice.status === 'draft')
    if (open && this.isLate(open)) open.status = 'expired'
    if (open?.status === 'draft' && open.plan === plan && open.price === plan.price) return this.setCredit(open, use)
    if (open?.status === 'draft') open.status = 'cancelled'
    const isFirst = !this.invoices.some(
      (invoice) => invoice.status === 'paid' || (isOpen(invoice) && invoice.discount > 0),
    )
    const discount = isFirst ? percentOf(plan.price, 15) : 0
    return this.setCredit(this.add(plan, { discount, due: plan.price - discount }), use)
  }
  submit(invoice: Invoice) {
    if (!isOpen(invoice) || this.isLate(invoice)) return 409
    if (invoice.submitted) return 200
    if (this.isOutdated(invoice, this.now)) return 409
    Object.assign(invoice, { status: 'pending', submitted: true, submittedAt: this.now, card: amountOf(invoice) > 0 })
    return 200
  }
  /** Whether the unique indexes allow this invoice: closed invoices do not count. */
  isAllowed(invoice: Invoice, willBePaid = false) {
    const others = this.invoices.filter((other) => other !== invoice)
    const discounted =
      invoice.discount > 0 && others.some((other) => other.discount > 0 && (isOpen(other) || other.status === 'paid'))
    return (
      !discounted &&
      (willBePaid ||
        invoice.kind === 'purchase' ||
        !others.some((other) => other.kind === 'plan_change' && isOpen(other)))
    )
  }
  /** Whether a plan change is outdated: segments have changed, the current period has ended, or it was not paid while its price was valid. */
  isOutdated({ priced, submitted, submittedAt }: Invoice, now: string) {
    if (!priced) return false
    const left = this.time.left(priced.at)
    const isSame =
      left.length === priced.left.length &&
      left.every((each, index) => each === priced.left[index]) &&
      periodsOf(left) === priced.periods
    return !isSame || priced.until <= now || priced.validUntil <= (submitted ? submittedAt! : now)
  }
  write(sub: State) {
    this.sub = sub.status === 'active' && sub.end! <= this.now ? { ...sub, status: 'expired' } : sub
  }
  confirm(invoice: Invoice) {
    if (invoice.status === 'paid') return 200
    if (invoice.status === 'refunded' || !this.isAllowed(invoice, true) || this.balance < invoice.credit) return 409
    if (this.isOutdated(invoice, this.now)) return 409
    const { now } = this
    Object.assign(invoice, { status: 'paid', paidAt: now })
    invoice.act = invoice.priced
      ? this.time.change(invoice.plan, invoice.price, invoice.priced.at, now)
      : this.time.purchase(invoice.plan, invoice.price, invoice.due, now)
    this.write(this.time.state(now))
    this.balance += invoice.creditBack - invoice.credit
    if (this.rewarded || invoice.kind !== 'purchase') return 200
    this.rewarded = { invoice, cents: percentOf(amountOf(invoice), 15), at: later(now, 7 * day), booked: false }
    return 200
  }
  /** Reverses a payment. Returns false if later actions depend on it, or if the credit or bonus that it gave is spent. */
  undo(invoice: Invoice) {
    const bonus = this.rewarded?.invoice === invoice && this.rewarded.booked ? this.rewarded.cents : 0
    if (this.balance + invoice.credit - invoice.creditBack < 0 || this.bonus < bonus) return false
    if (!this.time.undo(invoice.act!)) return false
    this.balance += invoice.credit - invoice.creditBack
    this.bonus -= bonus
    if (this.rewarded?.invoice === invoice) this.rewarded = null
    invoice.act = null
    this.write(this.time.state(this.now))
    return true
  }
  move(invoice: Invoice, to: 'pending' | 'cancelled') {
    const isReopened = to === 'pending' && this.isLate(invoice)
    if (invoice.status === to && !isReopened) return 200
    if (invoice.status === 'refunded' || invoice.refund === 'pending' || (to === 'pending' && !this.isAllowed(invoice)))
      return 409
    if (invoice.status === 'paid' && !this.undo(invoice)) return 409
    Object.assign(invoice, { status: to, paidAt: null })
    if (to === 'cancelled') return 200
    this.reopen(invoice)
    if (!invoice.submitted) this.setCredit(invoice, invoice.credit > 0)
    return 200
  }
  reopen(invoice: Invoice) {
    const until = later(this.now, 7 * day)
    if (invoice.expiresAt < until) invoice.expiresAt = until
  }
  reject(invoice: Invoice) {
    if (
      !['pending', 'expired'].includes(invoice.status) ||
      !invoice.submitted ||
      amountOf(invoice) === 0 ||
      !this.isAllowed(invoice)
    )
      return 409
    Object.assign(invoice, { status: 'pending', submitted: false })
    this.reopen(invoice)
    if (invoice.priced) invoice.priced.validUntil = invoice.expiresAt
    return 200
  }
  requestRefund(invoice: Invoice) {
    const isWorth = amountOf(invoice) > 0 || invoice.credit > 0
    if (invoice.status !== 'paid' || invoice.refund || !isWorth || later(invoice.paidAt!, 7 * day) <= this.now)
      return 409
    invoice.refund = 'pending'
    return 200
  }
  decideRefund(invoice: Invoice, approve: boolean) {
    if (invoice.refund === null) return 404
    if (invoice.refund !== 'pending') return 409
    if (approve) {
      const change = this.openChange()
      if (change && !this.isLate(change)) return 409
      if (!this.undo(invoice)) return 409
      invoice.status = 'refunded'
    }
    invoice.refund = approve ? 'approved' : 'declined'
    return 200
  }
  change(plan: Plan) {
    const [running] = this.time.left(this.now)
    if (!this.runs || running?.planId === plan.id) return 409
    const open = this.openChange()
    const status =
      open &&
      (this.isLate(open) ? 'expired' : !open.submitted && this.isOutdated(open, this.now) ? 'cancelled' : undefined)
    if (open && !status) return 409
    if (open) open.status = status!
    const left = this.time.left(this.now)
    const { charge, credit } = this.time.worth(plan, plan.price, this.now)
    const priced = {
      at: this.now,
      left,
      periods: periodsOf(left),
      until: running!.to,
      validUntil: later(this.now, 7 * day),
      charge,
      credit,
    }
    // The charge and the credit are read from the product's row, which must equal these values except for rounding.
    this.add(plan, { kind: 'plan_change', status: 'pending', due: Number.NaN, creditBack: Number.NaN, priced })
    return 200
  }
  grant(plan: Plan | null, days: number) {
    const last = later(this.now, days * day).slice(0, 10)
    const end = this.sub.end?.slice(0, 10) === last ? this.sub.end : `${last}T23:59:59.000Z`
    const after: State = plan ? { planId: plan.id, status: 'active', start: this.sub.start ?? this.now, end } : nothing
    if (isSamePlanAndPeriod(after, this.sub) && after.status === this.sub.status) return 200
    this.time.edit(
      plan ? { from: after.start!, to: end, plan, swap: plan.id !== this.sub.planId } : null,
      this.now,
      after,
    )
    this.write(plan ? this.time.state(this.now) : after)
    return 200
  }
  undoEdit(act: TimelineAction) {
    if (!this.time.undo(act)) return 409
    this.write(this.time.state(this.now))
    return 200
  }
  adjust(cents: number) {
    if (this.balance + cents < 0) return 409
    this.balance += cents
    return 200
  }
  requestTrial() {
    const isBlocked = this.trials.some(({ status, at }) => status === 'pending' || at > later(this.now, -30 * day))
    if (this.runs || isBlocked) return 409
    this.trials.push({ id: 0, status: 'pending', at: this.now })
    return 200
  }
  decideTrial(trial: Model['trials'][number], status: 'pending' | 'approved' | 'denied') {
    if (status === 'pending' && trial.status !== status && this.trials.some((other) => other.status === 'pending'))
      return 409
    trial.status = status
    return 200
  }
  /** Applies the effect of all jobs at `now`. */
  runJobs() {
    for (const invoice of this.invoices) if (this.isLate(invoice)) invoice.status = 'expired'
    const { rewarded } = this
    if (rewarded && !rewarded.booked && rewarded.at <= this.now && rewarded.invoice.refund !== 'pending') {
      rewarded.booked = true
      this.bonus += rewarded.cents
    }
    const change = this.openChange()
    if (change && !change.submitted && this.isOutdated(change, this.now)) change.status = 'cancelled'
    const end = this.time.end
    const isDue =
      this.runs &&
      end! <= later(this.now, 10 * day) &&
      !this.invoices.some((invoice) => isOpen(invoice) || invoice.renews === end)
    const plan = this.plans.find(({ id }) => id === this.time.stretches.at(-1)?.planId)
    if (isDue && plan) this.setCredit(this.add(plan, { renews: end!, expiresAt: later(this.now, 13 * day) }), true)
    if (this.time.stretches.some(({ from }) => from <= this.now) && this.sub.planId !== null)
      this.sub = { ...this.sub, planId: this.time.state(this.now).planId }
    this.write(this.sub)
  }
}
