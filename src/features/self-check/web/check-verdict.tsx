import { IdCard, LaptopMinimal, RadioTower, Server, Unlink, Wifi } from 'lucide-react'
import { Mascot } from '#web/brand/mascot.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { type Row, type RowId, stateTexts } from './check-rows.ts'
import type { VerdictText } from './check-texts.ts'

interface Props {
  text: VerdictText
  /** The results in the order from the device to the channel. The screens are shown as part of the account. */
  path: Row[]
  isFine: boolean
}
const icons = {
  device: LaptopMinimal,
  network: Wifi,
  account: IdCard,
  screens: IdCard,
  site: Server,
  channel: RadioTower,
}

/** The verdict, and the path from the device to the channel with the state of each stage. */
export function CheckVerdict({ text: { before, strong, after, lead }, path, isFine }: Props) {
  const nodes = path.filter(({ id }) => id !== 'screens')
  const screens = path.find(({ id }) => id === 'screens')
  const shown = nodes.map((row) =>
    row.id === 'account' && screens?.state === 'bad'
      ? { ...screens, id: row.id, name: row.name, value: 'In use' }
      : row,
  )
  return (
    <section className="verdict stage" aria-labelledby="check-verdict">
      <div className="verdict-text">
        <div>
          <h2 id="check-verdict">
            {before}
            <em>{strong}</em>
            {after}
          </h2>
          <p>{lead}</p>
        </div>
        <Mascot tier={3} eyes={3} size={148} lid={isFine ? 0 : 0.29} mouth={isFine} className="verdict-mascot" />
      </div>
      <ol className="check-path" aria-label="Path from your device to the channel">
        {shown.map((row, n) => (
          <li key={row.id} data-state={row.state} data-next={shown[n + 1]?.state}>
            <span className="check-node">
              <NodeIcon id={row.id} state={row.state} />
            </span>
            <b>{row.name}</b>
            <span className="num">
              {row.value || row.text}
              <span className="sr-only">. {stateTexts[row.state]}</span>
            </span>
          </li>
        ))}
      </ol>
      {shown.length === 5 && (
        <div className="check-sides" aria-hidden="true">
          <span>You</span>
          <span>Us</span>
        </div>
      )}
    </section>
  )
}

function NodeIcon({ id, state }: { id: RowId; state: Row['state'] }) {
  if (state === 'busy') return <Spinner />
  const Icon = id === 'channel' && state === 'bad' ? Unlink : icons[id]
  return <Icon size={26} aria-hidden="true" />
}
