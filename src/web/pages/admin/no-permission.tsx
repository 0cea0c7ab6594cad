import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { AdminFrame } from './admin-frame.tsx'

/** Shown instead of an admin page that the role of the user does not include. */
export function NoPermission() {
  return (
    <AdminFrame title="No permission">
      <div className="card empty" role="alert">
        <p className="empty-title">You do not have permission to see this page</p>
        <p>An owner can change your role.</p>
        <ButtonLink to="/admin/overview" variant="line">
          Back to Overview
        </ButtonLink>
      </div>
    </AdminFrame>
  )
}
