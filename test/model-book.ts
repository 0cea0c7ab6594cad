import { planChange } from '#features/subscriptions/rules.ts'
import { addMonths } from '#kit/dates.ts'
import { percentOf } from '#kit/money.ts'

export type Plan = { id: number; price: number; months: number }
type Period = { planId: number | null; status: string; start: string | null; end: string | null }
type Act = { item: Item | null; before: Period; make: (before: Period) => Period }
export type Item = {
  id: number
  number: string
  kind: 'purchase' | 'plan_change'
  plan: Plan
  status: 'draft' | 'pending' | 'paid' | 'cancelled' | 'expired' | 'refunded'
  submitted: boolean
  card: boolean
  /** The plan's when it was ordered. */
  price: number
  /** Before credit. */
  due: number
  credit: number
  discount: number
  creditBack: number
  keepsPeriod: boolean
  pricedFrom: Period | null
  renews: string | null
  expiresAt: string
  paidAt: string | null
  refund: 'pending' | 'approved' | 'declined' | null
}

const day = 86_400_000
export const later = (instant: string, ms: number): string => new Date(Date.parse(instant) + ms).toISOString()
const nothing: Period = { planId: null, status: 'none', start: null, end: null }
const same = (one: Period, other: Period) => one.planId === other.planId && one.start === other.start && one.end === other.end

/** What one referred customer should have after everything that was done: written as the decisions say it, not as the product does it. */
export class Book {
  now: string
  sub = nothing
  balance = 0
  bonus = 0
  rewarded: Item | null = null
  items: Item[] = []
  acts: Act[] = []
  trials: { id: number; status: 'pending' | 'approved' | 'denied'; at: string }[] = []
  notes = { reports: 0, inquiries: 0, watched: false, fullName: null as string | null, role: 'user' }
  password = 'correct horse'
  plans: Plan[]
  constructor(now: string, plans: Plan[]) {
    this.now = now
    this.plans = plans
  }

  get runs() {
    return this.sub.status === 'active' && this.now < this.sub.end!
  }
  isOpen = ({ status }: Item) => status === 'draft' || status === 'pending'
  isLate = (item: Item) => this.isOpen(item) && item.expiresAt <= this.now
  amount = (item: Item) => item.due - item.credit
  openChange = () => this.items.find((item) => item.kind === 'plan_change' && this.isOpen(item))
  free(except: Item) {
    const promised = this.items.filter((item) => item !== except && this.isOpen(item) && !this.isLate(item)).reduce((sum, { credit }) => sum + credit, 0)
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
      ...{ id: 0, number: '', kind: 'purchase', plan, status: 'draft', submitted: false, card: false },
      ...{ price: plan.price, due: plan.price, credit: 0, discount: 0, creditBack: 0 },
      ...{ keepsPeriod: false, pricedFrom: null, renews: null, expiresAt: later(this.now, 7 * day), paidAt: null, refund: null },
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
    if (item.pricedFrom && !same(item.pricedFrom, this.sub)) return 409
    Object.assign(item, { status: 'pending', submitted: true, card: this.amount(item) > 0 })
    return 200
  }
  /** Unique limits: what was closed meanwhile made room for another. */
  hasRoom(item: Item, willBePaid = false) {
    const others = this.items.filter((other) => other !== item)
    const discounted = item.discount > 0 && others.some((other) => other.discount > 0 && (this.isOpen(other) || other.status === 'paid'))
    return !discounted && (willBePaid || item.kind === 'purchase' || !others.some((other) => other.kind === 'plan_change' && this.isOpen(other)))
  }
  act(item: Item | null, make: Act['make']) {
    this.acts.push({ item, before: this.sub, make })
    this.write(make(this.sub))
  }
  write(sub: Period) {
    this.sub = sub.status === 'active' && sub.end! <= this.now ? { ...sub, status: 'expired' } : sub
  }
  confirm(item: Item) {
    if (item.status === 'paid') return 200
    if (item.status === 'refunded' || !this.hasRoom(item, true) || this.balance < item.credit) return 409
    if (item.pricedFrom && !same(item.pricedFrom, this.sub)) return 409
    const { now } = this
    Object.assign(item, { status: 'paid', paidAt: now })
    this.act(item, (before) => {
      const bought = { planId: item.plan.id, status: 'active' }
      const isRunning = before.status === 'active' && now < before.end!
      if (isRunning && item.kind === 'purchase') return { ...bought, start: before.start, end: addMonths(before.end!, item.plan.months) }
      if (isRunning && item.keepsPeriod) return { ...bought, start: before.start, end: before.end }
      return { ...bought, start: now, end: addMonths(now, item.plan.months) }
    })
    this.balance += item.creditBack - item.credit
    if (this.rewarded || item.kind !== 'purchase') return 200
    this.rewarded = item
    this.bonus += percentOf(this.amount(item), 15)
    return 200
  }
  /** Takes back what a payment did; false when that is spent. */
  undo(item: Item) {
    const bonus = this.rewarded === item ? percentOf(this.amount(item), 15) : 0
    if (this.balance + item.credit - item.creditBack < 0 || this.bonus < bonus) return false
    this.balance += item.credit - item.creditBack
    this.bonus -= bonus
    if (this.rewarded === item) this.rewarded = null
    const at = this.acts.findIndex((act) => act.item === item)
    let sub = this.acts[at]!.before
    this.acts.splice(at, 1)
    for (const act of this.acts.slice(at)) {
      act.before = sub
      sub = act.make(sub)
    }
    this.write(sub)
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
    if (!['pending', 'expired'].includes(item.status) || !item.submitted || this.amount(item) === 0 || !this.hasRoom(item)) return 409
    Object.assign(item, { status: 'pending', submitted: false })
    this.reopen(item)
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
      const at = this.acts.findIndex((act) => act.item === item)
      const change = this.openChange()
      if (this.acts.slice(at + 1).some((act) => act.item?.kind === 'plan_change') || (change && !this.isLate(change))) return 409
      if (!this.undo(item)) return 409
      item.status = 'refunded'
    }
    item.refund = approve ? 'approved' : 'declined'
    return 200
  }
  change(plan: Plan) {
    const from = this.plans.find(({ id }) => id === this.sub.planId)
    if (!this.runs || !from || from === plan) return 409
    const open = this.openChange()
    const status = open && (this.isLate(open) ? 'expired' : !open.submitted && !same(open.pricedFrom!, this.sub) ? 'cancelled' : undefined)
    if (open && !status) return 409
    if (open) open.status = status!
    const { charge, credit, keepsPeriod } = planChange(from, plan, { startDate: this.sub.start!, endDate: this.sub.end!, now: this.now })
    this.add(plan, { kind: 'plan_change', status: 'pending', due: charge, creditBack: credit, keepsPeriod, pricedFrom: this.sub })
    return 200
  }
  grant(plan: Plan | null, days: number) {
    const last = later(this.now, days * day).slice(0, 10)
    const end = this.sub.end?.slice(0, 10) === last ? this.sub.end : `${last}T23:59:59.000Z`
    const after = plan ? { planId: plan.id, status: 'active', start: this.sub.start ?? this.now, end } : nothing
    if (!same(after, this.sub) || after.status !== this.sub.status) this.act(null, () => after)
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
    if (status === 'pending' && trial.status !== status && this.trials.some((other) => other.status === 'pending')) return 409
    trial.status = status
    return 200
  }
  /** Every job of every room has looked. */
  tick() {
    for (const item of this.items) if (this.isLate(item)) item.status = 'expired'
    const change = this.openChange()
    if (change && !change.submitted && !same(change.pricedFrom!, this.sub)) change.status = 'cancelled'
    const { end, planId } = this.sub
    const isDue = this.runs && end! <= later(this.now, 10 * day) && !this.items.some((item) => this.isOpen(item) || item.renews === end)
    const plan = this.plans.find(({ id }) => id === planId)
    if (isDue && plan) this.setCredit(this.add(plan, { renews: end, expiresAt: later(this.now, 13 * day) }), true)
    this.write(this.sub)
  }
}
