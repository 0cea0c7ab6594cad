import { SkipBack } from 'lucide-react'
import { categoryName } from '#features/catalog/rules.ts'
import type { NowNext } from '#features/guide/rules.ts'
import { ProgramNow } from '#features/guide/web/program-now.tsx'
import type { OpenedPlay, Watch } from '#features/watch/contract.ts'
import { RecordingTimes } from '#features/watch/web/player/recording-times.tsx'
import { WatchlistToggle } from '#features/watchlist/web/watchlist-toggle.tsx'
import { Button } from '../../ui/button/button.tsx'
import { ButtonLink } from '../../ui/button/button-link.tsx'
import { EarlierPrograms } from './earlier-programs.tsx'

interface Props {
  channel: Watch['channels'][number]
  recording: OpenedPlay['recording']
  program: NowNext | undefined
  /** The current time, in milliseconds; undefined until it is known. */
  at: number | undefined
  onFromStart: (() => void) | undefined
}

/** What plays, what can be done with it, and the last programs of its channel. */
export function WatchAbout({ channel, recording, program, at, onFromStart }: Props) {
  return (
    <div className="watch-about">
      <h1>{recording?.title ?? channel.name}</h1>
      {recording ? (
        <RecordingTimes channelName={channel.name} recording={recording} hours={channel.archiveHours} />
      ) : program && at !== undefined ? (
        <ProgramNow {...program} at={at} />
      ) : (
        <p>{categoryName(channel.category)}</p>
      )}
      <div className="watch-actions">
        {onFromStart && (
          <Button onClick={onFromStart}>
            <SkipBack size={18} />
            Watch from Start
          </Button>
        )}
        <WatchlistToggle channel={channel} />
        <ButtonLink to="/dashboard" search={{ tab: 'reports' }} variant="line">
          Report a Problem
        </ButtonLink>
      </div>
      {at !== undefined && <EarlierPrograms channel={channel} playing={recording?.from} at={at} />}
    </div>
  )
}
