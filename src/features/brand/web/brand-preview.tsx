import { Moon, Sun } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { BrandSettings } from '#features/settings/contract.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { accentSheet } from '../rules.ts'

/** The home page in a frame, with the brand of the form. The page in the frame applies what it is sent at once. */
export function BrandPreview({ brand }: { brand: BrandSettings }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [theme, setTheme] = useState<'light' | 'dark'>('light')
  const [readyCount, setReadyCount] = useState(0)
  useEffect(() => {
    const onMessage = ({ source, origin, data }: MessageEvent<unknown>) => {
      if (origin === location.origin && source === frame.current?.contentWindow && data === 'brand-preview-ready')
        setReadyCount((count) => count + 1)
    }
    addEventListener('message', onMessage)
    return () => removeEventListener('message', onMessage)
  }, [])
  const message = JSON.stringify({ brand, theme, sheet: accentSheet(brand.hue) })
  useEffect(() => {
    if (readyCount > 0) frame.current?.contentWindow?.postMessage(message, location.origin)
  }, [message, readyCount])
  return (
    <Card
      className="brand-preview"
      title="Preview"
      titleId="brand-preview"
      flush
      aside={
        <fieldset className="ml-auto flex gap-1">
          <legend className="sr-only">Preview theme</legend>
          {(['light', 'dark'] as const).map((each) => (
            <Button
              key={each}
              variant={theme === each ? 'ink' : 'ghost'}
              size="sm"
              icon
              aria-label={each === 'light' ? 'Light' : 'Dark'}
              aria-pressed={theme === each}
              onClick={() => setTheme(each)}
            >
              {each === 'light' ? <Sun size={18} /> : <Moon size={18} />}
            </Button>
          ))}
        </fieldset>
      }
    >
      <iframe
        ref={frame}
        className="brand-frame"
        src="/admin/brand-preview"
        title="Preview of the home page with this brand"
      />
    </Card>
  )
}
