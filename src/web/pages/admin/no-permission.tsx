import { useQuery } from '@tanstack/react-query'
import { ShieldUser } from 'lucide-react'
import { currentUser } from '#features/accounts/contract.ts'
import { query } from '#web/data.ts'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { AdminFrame } from './admin-frame.tsx'

/** Shown instead of an admin page that the role of the user does not include. */
export function NoPermission() {
  const { data: user } = useQuery(query(currentUser))
  return (
    <AdminFrame title="No permission">
      <div className="card">
        <div className="empty" role="alert">
          <ShieldUser size={32} />
          <p className="empty-title">You do not have permission to see this page</p>
          <p>Your role is {user?.staff?.name ?? 'Owner'}. An owner can change it under Settings, Staff.</p>
          <ButtonLink to="/admin/overview" variant="line">
            Back to Overview
          </ButtonLink>
        </div>
      </div>
    </AdminFrame>
  )
}
