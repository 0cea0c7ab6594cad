import { useEffect, useState } from 'react'
import { getTemplateDocument } from '#features/mails/admin-contract.ts'
import type { BrandSettings } from '#features/settings/contract.ts'

const pauseMs = 300

/** A preview of an email with this brand. The server renders it each time the administrator pauses typing. */
export function BrandMailFrame({ brand }: { brand: BrandSettings }) {
  const { name, hue, logo } = brand
  const query = new URLSearchParams({
    name,
    hue: String(hue),
    ...(logo && { logo: logo.document, width: String(logo.width), height: String(logo.height) }),
  }).toString()
  const [shown, setShown] = useState(query)
  useEffect(() => {
    const timer = setTimeout(setShown, pauseMs, query)
    return () => clearTimeout(timer)
  }, [query])
  return (
    <iframe
      className="brand-frame"
      sandbox=""
      src={`${getTemplateDocument.path.replace(':template', 'welcome')}?${shown}`}
      title="Preview of an email with this brand"
    />
  )
}
