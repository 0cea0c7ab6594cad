import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { getSite } from '#features/settings/contract.ts'
import { query } from '../../data.ts'
import { Note } from '../../ui/note.tsx'
import { VideoTutorial } from './video-tutorial.tsx'

export function FirestickGuide() {
  const { data: site } = useSuspenseQuery(query(getSite))
  const { downloaderCode, appName, providerName, videoUrl, demoUsername, demoPassword } = site.setup
  return (
    <>
      <h2 id="apps" className="sr-only">
        Four steps on an Amazon Firestick
      </h2>
      <ol className="guide-steps">
        <li>
          <div>
            <h3>Install {appName}</h3>
            <p>
              Open the Downloader app from the app store of your Firestick and enter{' '}
              {downloaderCode ? (
                <>
                  the code <b className="num text-fg">{downloaderCode}</b>
                </>
              ) : (
                <>
                  the code that{' '}
                  <Link to="/contact" className="link">
                    support
                  </Link>{' '}
                  gives you
                </>
              )}
              . Confirm that you want to install the app.
            </p>
          </div>
        </li>
        <li>
          <div>
            <h3>Select the provider</h3>
            <p>
              Start the app and choose <b className="text-fg">{providerName || site.brand.name}</b> from the list of
              providers.
            </p>
          </div>
        </li>
        <li>
          <div>
            <h3>Enter your credentials</h3>
            <p>Type the IPTV username and password from your account, with the exact capitalization shown there.</p>
            <Note className="mt-4">
              For demonstration only: <b>{demoUsername}</b> and <b>{demoPassword}</b> show where each one goes. They are
              not a working login.
            </Note>
          </div>
        </li>
        <li>
          <div>
            <h3>Click Next, then Done</h3>
            <p>The app loads channels, movies and shows. The first time takes a minute or two.</p>
          </div>
        </li>
      </ol>
      <VideoTutorial url={videoUrl} />
    </>
  )
}
