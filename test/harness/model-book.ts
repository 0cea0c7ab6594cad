import { percentOf } from '#kit/money.ts'
import { nothing, type State, type Stretch, Timeline, type TimelineAction } from './model-time.ts'

export type Plan = { id: number; price: number; months: number }
export type Item = {
  id: number
  number: string
  kind: 'purchase' | 'plan_change'
  plan: Plan
  status: 'draft' | 'pending' | 'paid' | 'cancelled' | 'expired' | 'refunded'
  submitted: boolean
  submittedAt: string | null
  card: boolean
  /** The plan's when it was ordered. */
  price: number
  /** Before credit. */
  due: number
  credit: number
  discount: number
  creditBack: number
  /** By what a change of plan was priced; its ideal charge and credit, from which the product's differ by rounding only. */
  priced: {
    at: string
    left: Stretch[]
    places: string
    until: string
    validUntil: string
    charge: number
    credit: number
  } | null
  act: TimelineAction | null
  renews: string | null
  expiresAt: string
  paidAt: string | null
  refund: 'pending' | 'approved' | 'declined' | null
}

const day = 86_400_000
export const later = (instant: string, ms: number): string => new Date(Date.parse(instant) + ms).toISOString()
const same = (one: State, other: State) =>
  one.planId === other.planId && one.start === other.start && one.end === other.end
const placesOf = (stretches: Stretch[]) => stretches.map(({ from, to }) => `${from} ${to}`).join()

/** What one referred customer should have after everything that was done: written as the decisions say it, not as the product does it. */
export class Book {
  now: string
  /** What the customer's row shows; time alone changes it only when a job looks. */
  sub = nothing
  time = new Timeline()
  balance = 0
  /** What the referrer can spend, and the bonus that the customer's first payment earned: pending until its guarantee has run out. */
  bonus = 0
  rewarded: { item: Item; cents: number; at: string; booked: boolean } | null = null
  items: Item[] = []
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
  isOpen = ({ status }: Item) => status === 'draft' || status === 'pending'
  isLate = (item: Item) => this.isOpen(item) && item.expiresAt <= this.now
  amount = (item: Item) => item.due - item.credit
  openChange = () => this.items.find((item) => item.kind === 'plan_change' && this.isOpen(item))
  free(except: Item) {
    const promised = this.items
      .filter((item) => item !== except && this.isOpen(item) && !this.isLate(item))
      .reduce((sum, { credit }) => sum + credit, 0)
    return Math.max(0, this.balance - promised)
  }
  setCredit(item: Item, use: boolean) {
    const credit = use ? Math.min(item.due, this.free(item)) : 0
    if (credit !== item.credit && !(this.isOpen(item) && (item.status === 'draft' || !item.submitted))) return 409
    item.credit = credit
    return 200
  }
  add(plan: Plan, over: Partial<Item>): Item {
    const item: Item = {
      ...{
        id: 0,
        number: '',
        kind: 'purchase',
        plan,
        status: 'draft',
        submitted: false,
        submittedAt: null,
        card: false,
      },
      ...{ price: plan.price, due: plan.price, credit: 0, discount: 0, creditBack: 0 },
      ...{ priced: null, act: null, renews: null, expiresAt: later(this.now, 7 * day), paidAt: null, refund: null },
      ...over,
    } as Item
    this.items.push(item)
    return item
  }

  order(plan: Plan, use: boolean) {
    const open = this.items.find((item) => item.kind === 'purchase' && item.status === 'draft')
    if (open && this.isLate(open)) open.status = 'expired'
    if (open?.status === 'draft' && open.plan === plan && open.price === plan.price) return this.setCredit(open, use)
    if (open?.status === 'draft') open.status = 'cancelled'
    const isFirst = !this.items.some((item) => item.status === 'paid' || (this.isOpen(item) && item.discount > 0))
    const discount = isFirst ? percentOf(plan.price, 15) : 0
    return this.setCredit(this.add(plan, { discount, due: plan.price - discount }), use)
  }
  submit(item: Item) {
    if (!this.isOpen(item) || this.isLate(item)) return 409
    if (item.submitted) return 200
    if (this.isOutdated(item, this.now)) return 409
    Object.assign(item, { status: 'pending', submitted: true, submittedAt: this.now, card: this.amount(item) > 0 })
    return 200
  }
  /** Whether the unique indexes allow this item: invoices that were closed since then no longer count. */
  hasRoom(item: Item, willBePaid = false) {
    const others = this.items.filter((other) => other !== item)
    const discounted =
      item.discount > 0 && others.some((other) => other.discount > 0 && (this.isOpen(other) || other.status === 'paid'))
    return (
      !discounted &&
      (willBePaid ||
        item.kind === 'purchase' ||
        !others.some((other) => other.kind === 'plan_change' && this.isOpen(other)))
    )
  }
  /** Segments changed, the period that ran has ended, or the change was not paid while it was valid. */
  isOutdated({ priced, submitted, submittedAt }: Item, now: string) {
    if (!priced) return false
    const left = this.time.left(priced.at)
    const isSame =
      left.length === priced.left.length &&
      left.every((each, index) => each === priced.left[index]) &&
      placesOf(left) === priced.places
    return !isSame || priced.until <= now || priced.validUntil <= (submitted ? submittedAt! : now)
  }
  write(sub: State) {
    this.sub = sub.status === 'active' && sub.end! <= this.now ? { ...sub, status: 'expired' } : sub
  }
  confirm(item: Item) {
    if (item.status === 'paid') return 200
    if (item.status === 'refunded' || !this.hasRoom(item, true) || this.balance < item.credit) return 409
    if (this.isOutdated(item, this.now)) return 409
    const { now } = this
    Object.assign(item, { status: 'paid', paidAt: now })
    item.act = item.priced
      ? this.time.change(item.plan, item.price, item.priced.at, now)
      : this.time.purchase(item.plan, item.price, item.due, now)
    this.write(this.time.state(now))
    this.balance += item.creditBack - item.credit
    if (this.rewarded || item.kind !== 'purchase') return 200
    this.rewarded = { item, cents: percentOf(this.amount(item), 15), at: later(now, 7 * day), booked: false }
    return 200
  }
  /** Takes back what a payment did; false when later acts build on it, or what it gave is spent. */
  undo(item: Item) {
    const bonus = this.rewarded?.item === item && this.rewarded.booked ? this.rewarded.cents : 0
    if (this.balance + item.credit - item.creditBack < 0 || this.bonus < bonus) return false
    if (!this.time.undo(item.act!)) return false
    this.balance += item.credit - item.creditBack
    this.bonus -= bonus
    if (this.rewarded?.item === item) this.rewarded = null
    item.act = null
    this.write(this.time.state(this.now))
    return true
  }
  move(item: Item, to: 'pending' | 'cancelled') {
    const isReopened = to === 'pending' && this.isLate(item)
    if (item.status === to && !isReopened) return 200
    if (item.status === 'refunded' || item.refund === 'pending' || (to === 'pending' && !this.hasRoom(item))) return 409
    if (item.status === 'paid' && !this.undo(item)) return 409
    Object.assign(item, { status: to, paidAt: null })
    if (to === 'cancelled') return 200
    this.reopen(item)
    if (!item.submitted) this.setCredit(item, item.credit > 0)
    return 200
  }
  reopen(item: Item) {
    const until = later(this.now, 7 * day)
    if (item.expiresAt < until) item.expiresAt = until
  }
  reject(item: Item) {
    if (
      !['pending', 'expired'].includes(item.status) ||
      !item.submitted ||
      this.amount(item) === 0 ||
      !this.hasRoom(item)
    )
      return 409
    Object.assign(item, { status: 'pending', submitted: false })
    this.reopen(item)
    if (item.priced) item.priced.validUntil = item.expiresAt
    return 200
  }
  askBack(item: Item) {
    const isWorth = this.amount(item) > 0 || item.credit > 0
    if (item.status !== 'paid' || item.refund || !isWorth || later(item.paidAt!, 7 * day) <= this.now) return 409
    item.refund = 'pending'
    return 200
  }
  decideBack(item: Item, approve: boolean) {
    if (item.refund === null) return 404
    if (item.refund !== 'pending') return 409
    if (approve) {
      const change = this.openChange()
      if (change && !this.isLate(change)) return 409
      if (!this.undo(item)) return 409
      item.status = 'refunded'
    }
    item.refund = approve ? 'approved' : 'declined'
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
      places: placesOf(left),
      until: running!.to,
      validUntil: later(this.now, 7 * day),
      charge,
      credit,
    }
    // What the product charges and gives is learned from its row, which has to agree with this to the cent it is rounded to.
    this.add(plan, { kind: 'plan_change', status: 'pending', due: Number.NaN, creditBack: Number.NaN, priced })
    return 200
  }
  grant(plan: Plan | null, days: number) {
    const last = later(this.now, days * day).slice(0, 10)
    const end = this.sub.end?.slice(0, 10) === last ? this.sub.end : `${last}T23:59:59.000Z`
    const after: State = plan ? { planId: plan.id, status: 'active', start: this.sub.start ?? this.now, end } : nothing
    if (same(after, this.sub) && after.status === this.sub.status) return 200
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
  askTrial() {
    const isBlocked = this.trials.some(({ status, at }) => status === 'pending' || at > later(this.now, -30 * day))
    if (this.runs || isBlocked) return 409
    this.trials.push({ id: 0, status: 'pending', at: this.now })
    return 200
  }
  decideTrial(trial: Book['trials'][number], status: 'pending' | 'approved' | 'denied') {
    if (status === 'pending' && trial.status !== status && this.trials.some((other) => other.status === 'pending'))
      return 409
    trial.status = status
    return 200
  }
  /** Every job of every room has looked. */
  tick() {
    for (const item of this.items) if (this.isLate(item)) item.status = 'expired'
    const { rewarded } = this
    if (rewarded && !rewarded.booked && rewarded.at <= this.now && rewarded.item.refund !== 'pending') {
      rewarded.booked = true
      this.bonus += rewarded.cents
    }
    const change = this.openChange()
    if (change && !change.submitted && this.isOutdated(change, this.now)) change.status = 'cancelled'
    const end = this.time.end
    const isDue =
      this.runs &&
      end! <= later(this.now, 10 * day) &&
      !this.items.some((item) => this.isOpen(item) || item.renews === end)
    const plan = this.plans.find(({ id }) => id === this.time.stretches.at(-1)?.planId)
    if (isDue && plan) this.setCredit(this.add(plan, { renews: end!, expiresAt: later(this.now, 13 * day) }), true)
    if (this.time.stretches.some(({ from }) => from <= this.now) && this.sub.planId !== null)
      this.sub = { ...this.sub, planId: this.time.state(this.now).planId }
    this.write(this.sub)
  }
}
