import { ButtonAnchor } from '../../ui/button-anchor.tsx'

/**
 * The video beside the four steps: ours with captions, or the operator's in its place. Pages play from this site alone
 * (their policy says so), so any other address is a link.
 */
export function VideoTutorial({ address }: { address: string }) {
  const isElsewhere = address !== '' && !address.startsWith('/')
  return (
    <div className="mt-8">
      <h2 className="mb-3 text-xl">Video tutorial</h2>
      {isElsewhere ? (
        <ButtonAnchor href={address} variant="line" target="_blank" rel="noreferrer">
          Watch the video tutorial
        </ButtonAnchor>
      ) : (
        <video
          className="w-full rounded-2xl border"
          controls
          preload="none"
          playsInline
          width={960}
          height={540}
          {...(address === '' && ours)}
        >
          <source src={address || '/tutorial/firestick.mp4'} type="video/mp4" />
          {address === '' && (
            <track kind="captions" src="/tutorial/firestick.vtt" srcLang="en" label="English" default />
          )}
        </video>
      )}
    </div>
  )
}

const ours = {
  poster: '/tutorial/firestick.png',
  'aria-label': 'Video tutorial: the four steps on a Firestick, without sound, with captions',
}
