import type { IncidentKind } from '#features/incidents/contract.ts'
import { Note } from '../../ui/note.tsx'

const states = {
  none: ['ok', 'All systems are working'],
  maintenance: ['info', 'Maintenance is in progress'],
  problem: ['warn', 'There is a problem'],
  outage: ['bad', 'There is an outage'],
} as const

/** The state of the service in words, with an icon. */
export function StatusMark({ state }: { state: IncidentKind | null }) {
  const [tone, text] = states[state ?? 'none']
  return (
    <Note tone={tone}>
      <h2 className="text-lg">{text}</h2>
    </Note>
  )
}
