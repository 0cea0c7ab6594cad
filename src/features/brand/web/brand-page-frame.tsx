import { useEffect, useRef, useState } from 'react'
import type { BrandSettings } from '#features/settings/contract.ts'
import { accentSheet } from '../rules.ts'

interface Props {
  brand: BrandSettings
  theme: 'light' | 'dark'
  page: 'home' | 'checkout'
  /** Whether the frame shows the layout of a computer, scaled down. */
  isWide: boolean
}

/** A preview of a page in a frame. The frame receives the brand in a message and applies it without a request to the server. */
export function BrandPageFrame({ brand, theme, page, isWide }: Props) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [readyCount, setReadyCount] = useState(0)
  useEffect(() => {
    const onMessage = ({ source, origin, data }: MessageEvent<unknown>) => {
      if (origin === location.origin && source === frame.current?.contentWindow && data === 'brand-preview-ready')
        setReadyCount((count) => count + 1)
    }
    addEventListener('message', onMessage)
    return () => removeEventListener('message', onMessage)
  }, [])
  const message = JSON.stringify({ brand, theme, page, sheet: accentSheet(brand.hue) })
  useEffect(() => {
    if (readyCount > 0) frame.current?.contentWindow?.postMessage(message, location.origin)
  }, [message, readyCount])
  return (
    <div className="brand-frame-box" data-wide={isWide}>
      <iframe
        ref={frame}
        className="brand-frame"
        src="/admin/brand-preview"
        title={`Preview of ${page === 'home' ? 'the home page' : 'the checkout'} with this brand`}
      />
    </div>
  )
}
