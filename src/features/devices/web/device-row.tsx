import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { roles } from '#web/ui/table/table-roles.ts'
import { RelativeTime } from '#web/ui/time/relative-time.tsx'
import type { Device } from '../contract.ts'
import { kindNames } from '../rules.ts'
import { countryName } from './country-name.ts'
import { DeviceIcon } from './device-icon.tsx'

/** The role is explicit, because in narrow windows the row is displayed as blocks and loses its implicit role. */
const rowHeader = { role: 'rowheader' } as const

interface Props {
  device: Device
  onRename: (device: Device, button: HTMLElement) => void
  onRemove: (device: Device, button: HTMLElement) => void
}

/** A row of the device table. */
export function DeviceRow({ device, onRename, onRemove }: Props) {
  const { kind, name, agent, country, linkName, playing, lastWatchedAt, lastChannel, addedAt, isHere } = device
  const description = [kindNames[kind], agent !== name && agent, linkName && `username ${linkName}`]
  return (
    <tr {...roles.row}>
      <th scope="row" {...rowHeader}>
        <span className="device-name">
          <DeviceIcon kind={kind} />
          <span className="wrap-anywhere">{name}</span>
          {isHere && <Badge variant="default">This device</Badge>}
        </span>
      </th>
      <td {...roles.cell} className="wrap-anywhere">
        {description.filter(Boolean).join(' · ')}
      </td>
      <td {...roles.cell}>{country ? countryName(country) : ''}</td>
      <td {...roles.cell}>
        {playing ? (
          <>
            <Badge variant="default">Playing now</Badge> {playing.channelName}
          </>
        ) : isHere ? (
          'Here now'
        ) : lastWatchedAt ? (
          <>
            {lastChannel}, <RelativeTime value={lastWatchedAt} />
          </>
        ) : (
          <>
            Added <RelativeTime value={addedAt} />, not used yet
          </>
        )}
      </td>
      <td {...roles.cell}>
        <span className="device-actions">
          <Button
            variant="ghost"
            size="sm"
            aria-haspopup="dialog"
            onClick={({ currentTarget }) => onRename(device, currentTarget)}
          >
            Rename<span className="sr-only"> {name}</span>
          </Button>
          {!isHere && (
            <Button
              variant="soft"
              size="sm"
              aria-haspopup="dialog"
              onClick={({ currentTarget }) => onRemove(device, currentTarget)}
            >
              Remove<span className="sr-only"> {name}</span>
            </Button>
          )}
        </span>
      </td>
    </tr>
  )
}
