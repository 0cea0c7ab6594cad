import { addMonths } from '#kit/dates.ts'

type Plan = { id: number; months: number; price: number }
/** A period on one plan. Values are exact cents with fractions; the product's rounded values are compared with a tolerance of a few cents. */
export type PlanPeriod = {
  planId: number
  months: number
  from: string
  to: string
  days: number
  list: number
  paid: number
  closed: boolean
  act: TimelineAction
}
export type State = { planId: number | null; status: string; start: string | null; end: string | null }
export type TimelineAction = {
  kind: 'purchase' | 'change' | 'edit'
  at: string
  made: PlanPeriod[]
  replaced: PlanPeriod[]
  set?: State
}
type Piece = Omit<PlanPeriod, 'act'>

const day = 86_400_000
const ms = (instant: string) => Date.parse(instant)
const daysBetween = (from: string, to: string) => Math.max(0, Math.ceil((ms(to) - ms(from)) / day))
const latest = (...instants: string[]) => instants.reduce((one, other) => (one < other ? other : one))
const whole = (from: string, months: number) => ({
  from,
  to: addMonths(from, months),
  days: daysBetween(from, addMonths(from, months)),
})
export const nothing: State = { planId: null, status: 'none', start: null, end: null }

/** Returns the start and end of all periods as one string, for comparisons. */
export const periodsOf = (stretches: PlanPeriod[]): string => stretches.map(({ from, to }) => `${from} ${to}`).join()
export const isSamePlanAndPeriod = (one: State, other: State): boolean =>
  one.planId === other.planId && one.start === other.start && one.end === other.end

/** A second implementation of paid time, written from the decision records: the periods and their values. */
export class Timeline {
  stretches: PlanPeriod[] = []
  acts: TimelineAction[] = []

  left = (at: string) => this.stretches.filter(({ to }) => at < to)
  get end() {
    return this.stretches.at(-1)?.to
  }
  private begin(kind: TimelineAction['kind'], at: string): TimelineAction {
    const act: TimelineAction = { kind, at, made: [], replaced: [] }
    this.acts.push(act)
    return act
  }
  private replace(act: TimelineAction, replaced: PlanPeriod[], pieces: Piece[]) {
    act.replaced = replaced
    act.made = pieces.map((piece) => ({ ...piece, act }))
    this.stretches = [...this.stretches.filter((each) => !replaced.includes(each)), ...act.made].sort(
      (one, other) => ms(one.from) - ms(other.from),
    )
  }

  purchase(plan: Plan, list: number, paid: number, now: string): TimelineAction {
    const act = this.begin('purchase', now)
    const place = whole(latest(this.end ?? now, now), plan.months)
    this.replace(act, [], [{ planId: plan.id, months: plan.months, ...place, list, paid, closed: false }])
    return act
  }

  /** Returns the price and credit of a plan change requested at `at`, in exact cents. */
  worth(plan: Plan, price: number, at: string) {
    const left = this.left(at).map((each) => ({
      each,
      days: daysBetween(latest(at, each.from), each.to),
      total: daysBetween(each.from, each.to),
    }))
    const keeps = left.every(({ each }) => each.months === plan.months)
    const cost = keeps ? left.reduce((sum, { each, days }) => sum + (price * days) / each.days, 0) : price
    const list = left.reduce((sum, { each, days, total }) => sum + (each.list * days) / total, 0)
    const paid = left.reduce((sum, { each, days, total }) => sum + (each.paid * days) / total, 0)
    return { left, keeps, cost, list, paid, charge: Math.max(0, cost - list), credit: Math.max(0, paid - cost) }
  }

  change(plan: Plan, price: number, at: string, now: string): TimelineAction {
    const { left, keeps, cost, list, paid, charge, credit } = this.worth(plan, price, at)
    const act = this.begin('change', now)
    const used = left
      .filter(({ each }) => each.from < now)
      .map(({ each, days, total }): Piece => {
        const share = 1 - days / total
        return { ...each, to: now, closed: !keeps, list: each.list * share, paid: each.paid * share }
      })
    const value = {
      list: charge > 0 ? list + charge : Math.max(paid - credit, Math.min(cost, list - credit)),
      paid: paid + charge - credit,
    }
    const bought = { planId: plan.id, months: plan.months, closed: false }
    const weight = ({ each, days }: (typeof left)[number]) =>
      cost === 0 ? 1 / left.length : (price * days) / each.days / cost
    const made = keeps
      ? left.map((part): Piece => {
          const share = weight(part)
          return {
            ...bought,
            from: latest(now, part.each.from),
            to: part.each.to,
            days: part.each.days,
            list: value.list * share,
            paid: value.paid * share,
          }
        })
      : [{ ...bought, ...whole(now, plan.months), ...value }]
    this.replace(
      act,
      left.map(({ each }) => each),
      [...used, ...made],
    )
    return act
  }

  /** An administrator sets the subscription; `window` is null for a subscription that is not active. */
  edit(
    window: { from: string; to: string; plan: Plan; swap: boolean } | null,
    now: string,
    set: State,
  ): TimelineAction {
    const act = this.begin('edit', now)
    act.set = set
    const cuts = window ? [window.from, window.to, ...(window.swap || now < window.from ? [now] : [])] : [now]
    const replaced: PlanPeriod[] = []
    const pieces: Piece[] = []
    const keptPieces: Piece[] = []
    for (const stretch of this.stretches) {
      const parts = cutAll(stretch, cuts).flatMap((part) => partAfterEdit(part, window, now))
      keptPieces.push(...parts)
      if (parts.length === 1 && same(parts[0]!, stretch)) continue
      replaced.push(stretch)
      pieces.push(...parts)
    }
    if (window) {
      let at = window.from
      for (const { from, to } of [
        ...keptPieces.filter((part) => part.from >= window.from),
        { from: window.to, to: window.to },
      ]) {
        if (at < from)
          pieces.push(
            priced(window.plan, {
              planId: window.plan.id,
              months: window.plan.months,
              from: at,
              to: from,
              days: 0,
              list: 0,
              paid: 0,
              closed: false,
            }),
          )
        at = to
      }
    }
    this.replace(act, replaced, pieces)
    return act
  }

  /** Reverses an action. Returns false if a later plan change or edit must be reversed first. */
  undo(act: TimelineAction): boolean {
    if (act.made.some((each) => !this.stretches.includes(each))) return false
    const first = [...act.made, ...act.replaced].map(({ from }) => from).sort()[0]
    const at = this.acts.indexOf(act)
    const isLater = (each: PlanPeriod) => this.acts.indexOf(each.act) > at && each.act.kind !== 'purchase'
    if (first !== undefined && this.stretches.some((each) => isLater(each) && each.from >= first)) return false
    this.acts.splice(at, 1)
    this.stretches = [...this.stretches.filter((each) => each.act !== act), ...act.replaced].sort(
      (one, other) => ms(one.from) - ms(other.from),
    )
    let end: string | undefined
    for (const each of this.stretches) {
      if (each.act.kind === 'purchase') {
        const place = whole(latest(end ?? each.act.at, each.act.at), each.months)
        if (place.from !== each.from) Object.assign(each, place)
      }
      end = each.to
    }
    return true
  }

  state(now: string): State {
    const index = this.stretches.findIndex(({ to }) => now < to)
    if (index >= 0) return this.shown(index, 'active')
    const last = this.acts.at(-1)
    if (last?.set && last.set.status !== 'active') return last.set
    return this.stretches.length > 0 ? this.shown(this.stretches.length - 1, 'expired') : nothing
  }
  private shown(index: number, status: string): State {
    let [first, last] = [index, index]
    const at = (i: number) => this.stretches[i]
    while (at(first - 1)?.to === at(first)!.from && !at(first - 1)!.closed) first--
    while (at(last + 1)?.from === at(last)!.to) last++
    return { planId: at(index)!.planId, status, start: at(first)!.from, end: at(last)!.to }
  }
}

function partAfterEdit(
  part: Piece,
  window: { from: string; to: string; plan: Plan; swap: boolean } | null,
  now: string,
): Piece[] {
  if (!window) return part.from < now ? [part] : []
  if (part.from >= window.to) return []
  if (part.from < window.from)
    return part.from >= now ? [] : [part.to === window.from ? { ...part, closed: true } : part]
  if (!window.swap || part.to <= now) return [part]
  return [priced(window.plan, { ...part, planId: window.plan.id, months: window.plan.months })]
}

/** The list price of a stretch on a plan: never less than what was paid for it. */
function priced(plan: Plan, piece: Piece): Piece {
  const { days } = whole(piece.from, plan.months)
  return { ...piece, days, list: Math.max(piece.paid, (plan.price * daysBetween(piece.from, piece.to)) / days) }
}

function cutAll(piece: Piece, moments: string[]): Piece[] {
  const [at] = moments.filter((moment) => piece.from < moment && moment < piece.to).sort()
  if (at === undefined) return [piece]
  const share = (ms(at) - ms(piece.from)) / (ms(piece.to) - ms(piece.from))
  const rest = { ...piece, from: at, list: piece.list * (1 - share), paid: piece.paid * (1 - share) }
  return [
    { ...piece, to: at, closed: false, list: piece.list * share, paid: piece.paid * share },
    ...cutAll(rest, moments),
  ]
}

const same = (one: Piece, other: Piece) =>
  one.planId === other.planId &&
  one.from === other.from &&
  one.to === other.to &&
  one.closed === other.closed &&
  Math.abs(one.list - other.list) < 1e-6
