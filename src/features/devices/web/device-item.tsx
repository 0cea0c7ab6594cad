import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { RelativeTime } from '#web/ui/time/relative-time.tsx'
import type { Device } from '../contract.ts'
import { kindNames } from '../rules.ts'
import { countryName } from './country-name.ts'
import { DeviceIcon } from './device-icon.tsx'

interface Props {
  device: Device
  onRename: (device: Device, button: HTMLElement) => void
  onRemove: (device: Device, button: HTMLElement) => void
}

/** A device of the customer, with its kind, when it last watched, and buttons that rename and remove it. */
export function DeviceItem({ device, onRename, onRemove }: Props) {
  const { kind, name, agent, country, linkName, playing, lastWatchedAt, lastChannel, addedAt, isHere } = device
  const facts = [
    kindNames[kind],
    agent !== name && agent,
    linkName && `username ${linkName}`,
    country && countryName(country),
  ]
  return (
    <li className="device-item">
      <DeviceIcon kind={kind} />
      <div className="min-w-0">
        <h3 className="flex flex-wrap items-center gap-2 text-base wrap-anywhere">
          {name}
          {isHere && <Badge variant="default">This device</Badge>}
        </h3>
        <p className="text-sm text-fg-2 wrap-anywhere">{facts.filter(Boolean).join(' · ')}</p>
        <p className="text-sm text-fg-2">
          {playing ? (
            <span className="font-semibold text-ok">Playing now: {playing.channelName}</span>
          ) : lastWatchedAt ? (
            <>
              {lastChannel}, <RelativeTime value={lastWatchedAt} />
            </>
          ) : (
            <>
              Added <RelativeTime value={addedAt} />, not used yet
            </>
          )}
        </p>
      </div>
      <div className="device-actions">
        <Button
          variant="line"
          size="sm"
          aria-haspopup="dialog"
          onClick={({ currentTarget }) => onRename(device, currentTarget)}
        >
          Rename<span className="sr-only"> {name}</span>
        </Button>
        {!isHere && (
          <Button
            variant="line"
            size="sm"
            aria-haspopup="dialog"
            onClick={({ currentTarget }) => onRemove(device, currentTarget)}
          >
            Remove<span className="sr-only"> {name}</span>
          </Button>
        )}
      </div>
    </li>
  )
}
