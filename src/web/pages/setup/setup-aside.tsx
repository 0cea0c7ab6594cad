import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { VideoTutorial } from './video-tutorial.tsx'

const needs = [
  <>
    Your IPTV username and password.{' '}
    <Link to="/dashboard" search={{ tab: 'iptv' }} className="link">
      Find them
    </Link>
  </>,
  'The device, switched on and online',
  'About 5 minutes',
]

/** Beside the guides: what is needed, the video tutorial, and support. */
export function SetupAside({ videoUrl, showsVideo }: { videoUrl: string; showsVideo: boolean }) {
  return (
    <aside className="setup-aside" aria-label="Help with the setup">
      <section className="setup-card">
        <h2>You need</h2>
        <ul>
          {needs.map((need, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a constant list
            <li key={index}>
              <Check size={18} />
              <span>{need}</span>
            </li>
          ))}
        </ul>
      </section>
      {showsVideo && (
        <section className="setup-card">
          <VideoTutorial url={videoUrl} />
        </section>
      )}
      <section className="setup-card">
        <h2>Stuck?</h2>
        <p>We set it up with you, step by step.</p>
        <Link to="/contact" className="link">
          Contact Support
        </Link>
      </section>
    </aside>
  )
}
