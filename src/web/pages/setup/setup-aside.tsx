import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { VideoTutorial } from './video-tutorial.tsx'

const QrCode = lazy(() => import('../../ui/qr-code.tsx').then((module) => ({ default: module.QrCode })))

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

interface Props {
  videoUrl: string
  /** The device or tab that is shown. The video tutorial is shown only for `firestick`. */
  device: string
}

/** Shown beside the guides: what the user needs, the video tutorial, support, and on large screens a QR code that opens the guide on a phone. */
export function SetupAside({ videoUrl, device }: Props) {
  const [address, setAddress] = useState('')
  useEffect(() => setAddress(`${location.origin}/setup?device=${device}`), [device])
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
      {device === 'firestick' && (
        <section className="setup-card">
          <VideoTutorial url={videoUrl} />
        </section>
      )}
      <section className="setup-card">
        <h2>Stuck?</h2>
        <p>We will help you set it up, step by step.</p>
        <Link to="/contact" className="link">
          Contact Support
        </Link>
      </section>
      {address !== '' && (
        <section className="setup-card setup-phone">
          <div>
            <Suspense>
              <QrCode text={address} label="QR code of this guide" />
            </Suspense>
          </div>
          <div>
            <h2>Read it on your phone</h2>
            <p>Scan this code to open the guide on your phone.</p>
          </div>
        </section>
      )}
    </aside>
  )
}
