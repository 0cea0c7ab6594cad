import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { getTv } from '#features/devices/contract.ts'
import tvSheet from '#features/devices/web/tv.css?url'
import { TvCode } from '#features/devices/web/tv-code.tsx'
import { TvLoading } from '#features/devices/web/tv-loading.tsx'
import { query } from '../../data.ts'
import { Button } from '../../ui/button/button.tsx'
import { TvChannels } from './tv-channels.tsx'
import { useLastingFocus } from './use-lasting-focus.ts'

/** The interval at which a TV checks whether it was removed from the account, in milliseconds. */
const checkMs = 60_000

/** /tv: the page for television sets, used with a remote control. It shows a code until the TV is paired, and then the channels. */
export function TvPage() {
  const { data: tv, error, isPending, refetch } = useQuery({ ...query(getTv), refetchInterval: checkMs })
  const page = useRef<HTMLElement>(null)
  useLastingFocus(page)
  return (
    <main id="main" className="tv stage" tabIndex={-1} ref={page}>
      <link rel="stylesheet" href={tvSheet} precedence="page" />
      <h1 className="sr-only">TV</h1>
      {isPending ? (
        <TvLoading label="Loading" />
      ) : error && !tv ? (
        <div className="tv-message" role="alert">
          <h2>No connection</h2>
          <p>Check your TV's network connection.</p>
          <Button size="lg" autoFocus onClick={() => void refetch()}>
            Try Again
          </Button>
        </div>
      ) : tv ? (
        <TvChannels name={tv.name} />
      ) : (
        <TvCode />
      )}
    </main>
  )
}
