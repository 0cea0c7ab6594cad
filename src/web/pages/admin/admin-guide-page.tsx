import { MatchesSection } from '#features/guide/web/admin/matches-section.tsx'
import { SourcesSection } from '#features/guide/web/admin/sources-section.tsx'
import { AdminFrame } from './admin-frame.tsx'

/** /admin/guide: the sources of the program guide, and the listings of each channel. */
export function AdminGuidePage() {
  return (
    <AdminFrame title="Guide">
      <SourcesSection />
      <MatchesSection />
    </AdminFrame>
  )
}
