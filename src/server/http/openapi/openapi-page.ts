import { html } from 'hono/html'
import type { OpenApiDocument, Operation, Schema } from './openapi.ts'

type Field = { where: string; name: string; type: string; rule: string; required: boolean }
type Markup = ReturnType<typeof html>

/** Renders the OpenAPI document as plain HTML without scripts. */
export function openapiPage(document: OpenApiDocument): string {
  const { info, servers, tags, paths } = document
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title} API ${info.version}</title>
<link rel="stylesheet" href="/api-docs.css">
</head>
<body>
<header>
<h1>${info.title} API ${info.version}</h1>
<p>${info.description}</p>
<p>Base URL: <code>${servers[0]?.url}</code>. Machine-readable: <a href="/api/openapi.json">openapi.json</a> (OpenAPI ${document.openapi}).</p>
<nav aria-label="Sections"><ul>${tags.map(({ name }) => html`<li><a href="#${name.toLowerCase()}">${name}</a></li>`)}</ul></nav>
</header>
<main>${tags.map(
    ({ name }) => html`
<section id="${name.toLowerCase()}">
<h2>${name}</h2>${operations.filter(({ operation }) => operation.tags.includes(name)).map(({ path, method, operation }) => sectionOf(path, method, operation))}
</section>`,
  )}
</main>
</body>
</html>`
  return String(page)
}

function sectionOf(path: string, method: string, operation: Operation): Markup {
  const fields = fieldsOf(operation)
  const refusals = Object.entries(operation.responses).filter(([status]) => status !== '200')
  return html`
<article id="${operation.operationId}">
<h3><code>${method} ${path}</code></h3>
<p>${operation.summary}. <em>${operation.description}</em></p>${
    fields.length > 0
      ? html`
<div class="table"><table>
<caption class="visually-hidden">Fields of ${method} ${path}</caption>
<thead><tr><th scope="col">Where</th><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Rules</th></tr></thead>
<tbody>${fields.map(rowOf)}</tbody>
</table></div>`
      : ''
  }
<p class="refusals">Refusals: ${refusals.map(([status, { description }], index) => html`${index > 0 ? '; ' : ''}${status} ${description}`)}.</p>
</article>`
}

const rowOf = (field: Field): Markup =>
  html`<tr><td>${field.where}</td><th scope="row"><code>${field.name}</code></th><td>${field.type}</td><td>${[field.required || field.where === 'response' ? '' : 'optional', field.rule].filter(Boolean).join(', ')}</td></tr>`

function fieldsOf(operation: Operation): Field[] {
  const parameters = (operation.parameters ?? []).map(({ in: where, name, required, schema }) =>
    fieldOf(where, name, schema, required),
  )
  const body = operation.requestBody?.content['application/json']?.schema
  const response = operation.responses[200]?.content?.['application/json']?.schema
  return [
    ...parameters,
    ...(body ? nestedFields('body', '', body, true) : []),
    ...(response ? nestedFields('response', '', response, true) : []),
  ]
}

/** Returns one field for a plain value, and one for each field inside an object or a list of objects, such as `invoice.amount` or `[].name`. */
function nestedFields(where: string, name: string, schema: Schema, required: boolean): Field[] {
  const inner = schema.anyOf?.find((branch) => branch.properties) ?? schema
  if (inner.properties) {
    const inside = Object.entries(inner.properties).flatMap(([key, child]) =>
      nestedFields(where, name ? `${name}.${key}` : key, child, inner.required?.includes(key) ?? false),
    )
    return inner === schema ? inside : [fieldOf(where, name, schema, required), ...inside]
  }
  if (inner.items?.properties) return nestedFields(where, `${name}[]`, inner.items, required)
  return [fieldOf(where, name || (where === 'response' ? 'the response' : 'the body'), schema, required)]
}

const fieldOf = (where: string, name: string, schema: Schema, required: boolean): Field => ({
  where,
  name,
  type: typeOf(schema),
  rule: ruleOf(schema),
  required,
})

function typeOf(schema: Schema): string {
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' or ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) return schema.enum.join(', ')
  if (schema.items) return `list of ${typeOf(schema.items)}`
  return [schema.type ?? 'anything'].flat().join(' or ')
}

// Zod writes the range of safe integers for every integer. This range is not shown.
const isMeaningful = (bound: unknown): boolean =>
  typeof bound === 'number' && Math.abs(bound) !== Number.MAX_SAFE_INTEGER

function ruleOf(schema: Schema): string {
  const rules = (schema.anyOf ?? []).map(ruleOf)
  if (isMeaningful(schema.minLength)) rules.push(`at least ${schema.minLength} characters`)
  if (isMeaningful(schema.maxLength)) rules.push(`at most ${schema.maxLength} characters`)
  if (isMeaningful(schema.minimum)) rules.push(`from ${schema.minimum}`)
  if (isMeaningful(schema.maximum)) rules.push(`up to ${schema.maximum}`)
  if (schema.format) rules.push(String(schema.format))
  else if (schema.pattern) rules.push(`matches ${schema.pattern}`)
  return [...new Set(rules.filter(Boolean))].join(', ')
}
