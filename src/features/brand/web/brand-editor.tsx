import { Button } from '#web/ui/button/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { FormError } from '#web/ui/form/form-error.tsx'
import { UnsavedChangesGuard } from '#web/ui/form/unsaved-changes-guard.tsx'
import { May } from '#web/ui/permission/may.tsx'
import type { BrandStudioState } from '../admin-contract.ts'
import { BrandAccent } from './brand-accent.tsx'
import { BrandIdentity } from './brand-identity.tsx'
import { BrandPreview } from './brand-preview.tsx'
import { BrandTexts } from './brand-texts.tsx'
import { BrandVersions } from './brand-versions.tsx'
import { useBrandForm } from './use-brand-form.ts'

/** The form of the brand, next to a preview. */
export function BrandEditor({ stored }: { stored: BrandStudioState }) {
  const brand = useBrandForm(stored)
  const { form, values, changes } = brand
  return (
    <div className="brand-studio">
      <Card title="Brand" titleId="brand-title" aside={<BrandVersions brand={brand} />} flush>
        <form noValidate aria-labelledby="brand-title" onSubmit={(event) => void brand.publish(event)}>
          <div className="card-body grid gap-4">
            <p className="text-fg-2">Name, logo, color and texts. Customers see changes only after you publish.</p>
            <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
          </div>
          <BrandIdentity brand={brand} />
          <BrandAccent brand={brand} />
          <BrandTexts brand={brand} />
          <div className="brand-bar">
            {form.failure && form.problems.length === 0 && (
              <FormError
                message={form.failure}
                onReload={form.failureCode === 'stale' ? brand.showCurrent : undefined}
              />
            )}
            <p role="status" className="w-full text-sm">
              {changes > 0 ? (
                <>
                  <b>
                    {changes} {changes === 1 ? 'change' : 'changes'}
                  </b>{' '}
                  <span className="text-fg-2">not published yet</span>
                </>
              ) : (
                <span className="text-fg-2">All changes are published</span>
              )}
            </p>
            <May needs="settings.edit">
              {(changes > 0 || brand.hasDraft) && !form.pending && (
                <Button variant="ghost" onClick={brand.discard}>
                  Discard
                </Button>
              )}
              <Button variant="line" pending={form.pending} onClick={() => void brand.save()}>
                Save Draft
              </Button>
              <Button {...form.button}>Publish</Button>
            </May>
          </div>
        </form>
      </Card>
      <BrandPreview brand={values} />
      <UnsavedChangesGuard when={form.isDirty && !form.pending} />
    </div>
  )
}
