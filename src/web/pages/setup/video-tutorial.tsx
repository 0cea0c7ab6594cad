import { ButtonAnchor } from '../../ui/button/button-anchor.tsx'

/**
 * The video tutorial: the built-in one with captions, or the one from the settings. The Content-Security-Policy allows video from
 * this site only, so a video on another site is a link.
 */
export function VideoTutorial({ url }: { url: string }) {
  const isElsewhere = url !== '' && !url.startsWith('/')
  return (
    <div>
      <h2>Video tutorial</h2>
      {isElsewhere ? (
        <ButtonAnchor href={url} variant="line" target="_blank" rel="noreferrer">
          Watch the video tutorial
        </ButtonAnchor>
      ) : (
        <video
          className="w-full rounded-xl border"
          controls
          preload="none"
          playsInline
          width={960}
          height={540}
          {...(url === '' && builtInVideo)}
        >
          <source src={url || '/tutorial/firestick.mp4'} type="video/mp4" />
          {url === '' && <track kind="captions" src="/tutorial/firestick.vtt" srcLang="en" label="English" default />}
        </video>
      )}
    </div>
  )
}

const builtInVideo = {
  poster: '/tutorial/firestick.png',
  'aria-label': 'Video tutorial: the four steps on a Firestick, without sound, with captions',
}
