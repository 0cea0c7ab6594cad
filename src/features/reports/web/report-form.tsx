import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { currentUser } from '#features/accounts/contract.ts'
import { serverMessageOr } from '#kit/caller.ts'
import { query, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { FormError } from '#web/ui/form/form-error.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import { Textarea } from '#web/ui/form/textarea.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { contentType, createReport, listReports, reportForm, reportIssue } from '../contract.ts'
import { contentTypeNames, issueNames } from '../rules.ts'

const reportFields = ['contentType', 'contentName', 'issue', 'description'] as const

/** The form for reporting a problem. The input is kept until the report is accepted. */
export function ReportForm() {
  const { data: user } = useSuspenseQuery(query(currentUser))
  const send = useSend(createReport, [listReports])
  const element = useRef<HTMLFormElement>(null)
  const form = useSchemaForm({
    schema: reportForm,
    id: 'report',
    fields: reportFields,
    draft: { key: 'report', owner: user?.id, fields: reportFields },
    onFailure: (_, error) =>
      toast({
        title: 'Error Submitting Report',
        description: serverMessageOr(error, 'Failed to submit report. Please try again.'),
        variant: 'destructive',
      }),
  })
  const submit = form.onSubmit(async (values) => {
    await send.mutateAsync({ body: { ...values, userId: user?.id } })
    toast({ title: 'Report Submitted', description: 'Thank you for your report. Our team will look into it.' })
    element.current?.reset()
    form.reset()
  })
  return (
    <Card title="Report a Problem" titleId="report-title">
      <form ref={element} noValidate className="grid gap-5" onSubmit={submit}>
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
        <p>
          Known problems and maintenance are on the{' '}
          <Link to="/status" className="link">
            status page
          </Link>
          .
        </p>
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label="Content Type" {...form.field('contentType')}>
            <NativeSelect {...form.register('contentType')}>
              {contentType.options.map((value) => (
                <option key={value} value={value}>
                  {contentTypeNames[value]}
                </option>
              ))}
            </NativeSelect>
          </Field>
          <Field label="Issue" {...form.field('issue')}>
            <NativeSelect {...form.register('issue')}>
              {reportIssue.options.map((value) => (
                <option key={value} value={value}>
                  {issueNames[value]}
                </option>
              ))}
            </NativeSelect>
          </Field>
        </div>
        <Field
          label="Content Name"
          hint="The channel, movie or show as named in your player."
          {...form.field('contentName')}
        >
          <Input {...form.register('contentName')} autoComplete="off" required />
        </Field>
        <Field
          label="Description"
          optional
          hint="When it happens, on which device and what you see."
          {...form.field('description')}
        >
          <Textarea {...form.register('description')} rows={4} />
        </Field>
        {form.failure && <FormError message={form.failure} code={form.failureCode} />}
        <div>
          <Button {...form.button}>Submit Report</Button>
        </div>
      </form>
    </Card>
  )
}
