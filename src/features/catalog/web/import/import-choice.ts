import type { PanelCategory } from '../../admin-contract.ts'
import type { ChannelCategory } from '../../contract.ts'

type Choice = Record<string, ChannelCategory | null>
/** A choice as it is sent: for each category of ours the panel's, separated by commas. */
export function chosenIds(choice: Choice): Partial<Record<ChannelCategory, string>> {
  const ids: Partial<Record<ChannelCategory, string>> = {}
  for (const [id, ours] of Object.entries(choice))
    if (ours) ids[ours] = ids[ours] === undefined ? id : `${ids[ours]},${id}`
  return ids
}

/** What a choice would do, all categories together. */
export function sumOf(categories: readonly PanelCategory[], choice: Choice) {
  const sum = { add: 0, map: 0, known: 0, double: 0, skipped: 0 }
  for (const { id, counts } of categories) {
    const fates = ['add', 'map', 'known', 'double'] as const
    for (const fate of fates) sum[choice[id] ? fate : 'skipped'] += counts[fate]
  }
  return sum
}

type Logos = { fromPanel: boolean; waiting: number; kept: number; failed: number; failure: string | null }
/** How far fetching the logos has come, and what is shown. */
export function logosText({ fromPanel, waiting, kept, failed, failure }: Logos): string {
  const all = waiting + kept + failed
  if (all === 0)
    return fromPanel ? 'The next import fetches them. Until then channels show marks drawn from their names.' : ''
  if (!fromPanel)
    return `Channels show marks drawn from their names. ${kept} of the panel’s logos are kept for when you switch this on again.`
  const parts = [
    `${kept} of ${all} logos are here.`,
    waiting > 0 ? `${waiting} are being fetched.` : '',
    failed > 0 ? `${failed} could not be used, and their channels keep the drawn mark. The last one: ${failure}` : '',
  ]
  return parts.filter(Boolean).join(' ')
}
