import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import type { SetupGuide } from '#features/catalog/contract.ts'
import { type SetupDevice, setupDeviceOf } from '#features/catalog/setup-rules.ts'
import { pagePart } from '../../ui/hydration/page-part.ts'
import setupSheet from './setup.css?url'

const DevicePicture = pagePart(() => import('./device-picture.tsx'), 'DevicePicture')

interface Props {
  guides: SetupGuide[]
  /** The device whose guide is shown. */
  chosen?: SetupDevice
}

/** Links to the guide of each device, with pictures. */
export function DeviceChoice({ guides, chosen }: Props) {
  return (
    <nav className="device-choice" aria-label="Your device">
      <link rel="stylesheet" href={setupSheet} precedence="page" />
      {guides.map(({ device }) => (
        <Link
          key={device}
          to={'/setup' as never}
          search={{ device } as never}
          resetScroll={chosen === undefined}
          aria-current={device === chosen ? 'true' : undefined}
        >
          <span className="device-picture">
            <Suspense>
              <DevicePicture device={device} />
            </Suspense>
          </span>
          <span>{setupDeviceOf(device).name}</span>
        </Link>
      ))}
    </nav>
  )
}
