import { useEffect, useRef, useState } from 'react'
import { Button } from '#web/ui/button/button.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { playPreview } from './preview-player.ts'

interface Props {
  name: string
  url: string
  /** Whether the URL is an HLS playlist and not a video file. */
  isStream: boolean
}

/** The video preview of a channel: muted at first, autoplaying unless the visitor prefers reduced motion, with an error message and a retry button. */
export function ChannelVideo({ name, url, isStream }: Props) {
  const video = useRef<HTMLVideoElement>(null)
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading')
  const [attempt, setAttempt] = useState(0)

  useEffect(() => {
    const element = video.current
    if (!element) return
    setState('loading')
    return playPreview(element, url, isStream, {
      onReady: () => {
        setState('ready')
        // The retry button disappears, so its focus must move.
        if (attempt > 0) element.focus()
      },
      onFail: () => setState('failed'),
    })
  }, [url, isStream, attempt])

  return (
    <>
      <video
        ref={video}
        aria-label={`Preview of ${name}`}
        className={state === 'ready' ? undefined : 'invisible'}
        autoPlay={!matchMedia('(prefers-reduced-motion: reduce)').matches}
        controls
        loop
        muted
        playsInline
        disablePictureInPicture
      />
      {state === 'loading' && attempt === 0 && (
        <p className="preview-state" role="status">
          <Spinner />
          Loading preview
        </p>
      )}
      {(state === 'failed' || (state === 'loading' && attempt > 0)) && (
        <div className="preview-state" role="alert">
          <p>This preview cannot be played right now.</p>
          <Button variant="line" size="sm" pending={state === 'loading'} onClick={() => setAttempt(attempt + 1)}>
            Try Again
          </Button>
        </div>
      )}
    </>
  )
}
