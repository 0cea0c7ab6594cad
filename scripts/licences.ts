import { agreement, type Package, shippedPackages } from './checks/licences.ts'
import { read } from './checks/tree.ts'

// Lists the shipped packages and their licenses; with --sbom as a bill of materials (CycloneDX 1.6, JSON). Run: npm run licences
const packages = shippedPackages()

type Part = { name: string; version: string; licence: string; of: string }
const native = JSON.parse(read('security/native-parts.json')) as { packages: string[]; parts: Part[] }

/** A library inside a package, which the lockfile does not list. */
function partOf(owner: string) {
  return ({ name, version, licence, of }: Part) => ({
    type: 'library',
    name,
    version,
    scope: 'optional',
    'bom-ref': `${owner}#${name}@${version}`,
    cpe: `cpe:2.3:a:${of}:${name === 'icu' ? 'international_components_for_unicode' : name}:${version}:*:*:*:*:*:*:*`,
    purl: `pkg:generic/${name}@${version}`,
    licenses: [
      licence.startsWith('LicenseRef') ? { license: { name: 'public domain' } } : { license: { id: licence } },
    ],
  })
}

function component({ name, version, licence, integrity, optional }: Package) {
  const [group, bare] = name.startsWith('@') ? (name.split('/') as [string, string]) : [undefined, name]
  return {
    type: 'library',
    ...(group && { group }),
    name: bare,
    version,
    scope: optional ? 'optional' : 'required',
    'bom-ref': `${name}@${version}`,
    purl: `pkg:npm/${group ? `${encodeURIComponent(group)}/` : ''}${bare}@${version}`,
    hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex') }],
    licenses: licence.startsWith('(') ? [{ expression: licence.slice(1, -1) }] : [{ license: { id: licence } }],
  }
}

if (process.argv.includes('--sbom')) {
  const { name, version } = JSON.parse(read('package.json')) as { name: string; version: string }
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name, version, 'bom-ref': `${name}@${version}` } },
    components: packages.map((each) => ({
      ...component(each),
      ...(native.packages.includes(each.name) && { components: native.parts.map(partOf(each.name)) }),
    })),
  }
  console.log(JSON.stringify(bill, null, 2))
} else {
  const { agreed, inside } = agreement()
  const byLicence = Map.groupBy(packages, ({ licence }) => licence)
  for (const [licence, group] of [...byLicence].toSorted(([, a], [, b]) => b.length - a.length)) {
    console.log(`${licence || 'no license'}: ${group.length} (${agreed[licence] ?? 'not allowed'})`)
    console.log(
      group.map(({ name, version }) => `  ${name} ${version}${inside[name] ? `, ${inside[name]}` : ''}`).join('\n'),
    )
  }
  for (const { name, version, licence } of native.parts)
    console.log(`inside ${native.packages.join(' and ')}: ${name} ${version} (${licence})`)
  const required = packages.filter(({ optional }) => !optional).length
  console.log(`${packages.length} packages are shipped, ${packages.length - required} of them only on some platforms.`)
}
