/** A made-up statement, one for each format, with the pitfalls of that format. Each has the same payment of $31.49, and rows that are not payments. */
export type StatementFile = {
  format: string
  text: string
  payments: { amount: number; note: string | null; payerName: string | null; reference: string | null }[]
  skipped: number
}

const note = 'SAUCE: ORD-7F3K2G'
const ana = { amount: 3149, note, payerName: 'Ana Ruiz', reference: 'abc123' }

const cashapp: StatementFile = {
  format: 'csv:cashapp',
  text: `"Transaction ID","Date","Transaction Type","Currency","Amount","Fee","Net Amount","Asset Type","Asset Price","Asset Amount","Status","Notes","Name of sender/receiver","Account"
"abc123","2026-11-19 09:02:11 EST","Received P2P","USD","$31.49","$0","$31.49","","","","PAYMENT DEPOSITED","${note}","Ana Ruiz","Your Cash"
"abc124","2026-07-19 09:02:11 EDT","Received P2P","USD","$1,049.98","$0","$1,049.98","","","","PAYMENT DEPOSITED","rent, ""split""","Bob Tran","Your Cash"
"abc125","2026-11-18 19:56:39 EST","Bitcoin Buy","USD","-$2.90","$0","-$2.90","BTC","$1","0.1","COMPLETED","","",""
"abc126","2026-11-18 19:56:39 EST","Received P2P","USD","$9","$0","$9","","","","PAYMENT FAILED","","Bob Tran",""
`,
  payments: [ana, { amount: 104_998, note: 'rent, "split"', payerName: 'Bob Tran', reference: 'abc124' }],
  skipped: 2,
}

const venmo: StatementFile = {
  format: 'csv:venmo',
  text: `Account Statement - (@shop-tv) ,,,,,,,,
Account Activity,,,,,,,,
,ID,Datetime,Type,Status,Note,From,To,Amount (total),Amount (fee)
,,,,,,,,,,"$1,250.00"
,4691000000000000101,2026-11-19T14:02:11,Payment,Complete,"${note}
thanks",Ana Ruiz,Shop TV,+ $31.49,- $0.70
,4691000000000000102,2026-11-19T14:02:11,Standard Transfer,Issued,,,,- $500.00,
,4691000000000000103,2026-11-19T14:02:11,Charge,Pending,soon,Shop TV,Bob Tran,+ $24.99,
,4691000000000000104,2026-11-19T14:02:11,Charge,Complete,asked,Shop TV,Bob Tran,+ $24.99,
,,,,,,,,,,,,"In case of errors
    telephone us"
`,
  payments: [
    { ...ana, note: `${note}\nthanks`, reference: '4691000000000000101' },
    { amount: 2499, note: 'asked', payerName: 'Bob Tran', reference: '4691000000000000104' },
  ],
  skipped: 2,
}

const paypal: StatementFile = {
  format: 'csv:paypal',
  text: `\ufeff"Datum","Uhrzeit","Zeitzone","Name","Typ","Status","Währung","Brutto","Gebühr","Netto","Absender E-Mail-Adresse","Empfänger E-Mail-Adresse","Transaktionscode","Zugehöriger Transaktionscode","Hinweis","Auswirkung auf Guthaben"
"19.11.2026","15:02:11","CET","Ana Ruiz","Allgemeine Zahlung","Abgeschlossen","USD","31,49","-0,99","30,50","ana@mail.example","pay@shop.example","4VW57989RN961081F","","${note}","Haben"
"19.11.2026","15:02:11","CET","Bob Tran","Rückzahlung","Abgeschlossen","USD","-1.031,49","0,00","-1.031,49","pay@shop.example","bob@mail.example","4VW57989RN961082F","4VW57989RN961080F","","Soll"
"19.11.2026","15:02:11","CET","","Allgemeine Währungsumrechnung","Abgeschlossen","USD","1.031,49","0,00","1.031,49","","","4VW57989RN961083F","","","Haben"
`,
  payments: [{ ...ana, reference: '4VW57989RN961081F' }],
  skipped: 2,
}

const chase: StatementFile = {
  format: 'csv:chase',
  text: `Details,Posting Date,Description,Amount,Type,Balance,Check or Slip #
CREDIT,11/19/2026,"REAL TIME TRANSFER RECD FROM ABA/CONTR BNK-021 FROM: BNF-Ana Ruiz REF: ${note} INFO: TEXT- TRN: abc123",31.49,MISC_CREDIT,1.00,,
CREDIT,11/19/2026,"Zelle payment from BOB TRAN 30999888777",5.00,QUICKPAY_CREDIT,1.00,,
DEBIT,11/19/2026,"Zelle payment to PRINT SHOP 30999888000",-40.00,QUICKPAY_DEBIT,1.00,,
CREDIT,11/18/2026,"ORIG CO NAME:STRIPE          ORIG ID:18 DESC DATE:261118",812.11,ACH_CREDIT,1.00,,
`,
  payments: [ana, { amount: 500, note: null, payerName: 'BOB TRAN', reference: '30999888777' }],
  skipped: 2,
}

const bofa: StatementFile = {
  format: 'csv:bofa',
  text: `Description,,Summary Amt.\r\nBeginning balance as of 11/01/2026,,"1,300.00"\r\n\r\nDate,Description,Amount,Running Bal.\r
11/01/2026,Beginning balance as of 11/01/2026,,"1,300.00"\r
11/19/2026,"Zelle payment from Ana Ruiz for ""${note}""; Conf# abc123","31.49","1"\r
11/19/2026,"ATM WITHDRWL","-150.00","1"\r\n`,
  payments: [ana],
  skipped: 1,
}

const wellsFargo: StatementFile = {
  format: 'csv:wellsfargo',
  text: `"11/19/2026","31.49","*","","ZELLE FROM Ana Ruiz ON 11/19 REF # abc123 ${note}"\n"11/18/2026","-35.00","*","","UTILITY CO"\n`,
  payments: [ana],
  skipped: 1,
}

const ofx: StatementFile = {
  format: 'ofx',
  text: `OFXHEADER:100\nCHARSET:1252\n\n<OFX><STMTRS><CURDEF>USD<BANKTRANLIST>
<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20261119120000[0:GMT]<TRNAMT>+31.49<FITID>abc123<NAME>Ana Ruiz</NAME><MEMO>${note}
</STMTTRN><STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20261119<TRNAMT>29,99<FITID><NAME>R&amp;D<MEMO></STMTTRN>
<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20261119<TRNAMT>5.00<FITID>7<NAME>Zelle payment from BOB TRAN JUNI<MEMO>OR 30999888777 hello</STMTTRN>
<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20261119<TRNAMT>-40.00<FITID>8<NAME>SHOP</STMTTRN></BANKTRANLIST></STMTRS></OFX>`,
  payments: [
    ana,
    { amount: 2999, note: null, payerName: 'R&D', reference: null },
    { amount: 500, note: 'hello', payerName: 'BOB TRAN JUNIOR', reference: '30999888777' },
  ],
  skipped: 1,
}

const entry = (indicator: string, status: string, amount: string, details: string, extra = '') =>
  `<Ntry><Amt Ccy="USD">${amount}</Amt><CdtDbtInd>${indicator}</CdtDbtInd><Sts>${status}</Sts><BookgDt><Dt>2026-11-19</Dt></BookgDt><AcctSvcrRef>abc</AcctSvcrRef>${details}${extra}</Ntry>`
const part = (amount: string, debtor: string, remittance: string) =>
  `<TxDtls><Amt Ccy="USD">${amount}</Amt><RltdPties><Dbtr>${debtor}</Dbtr></RltdPties><RmtInf>${remittance}</RmtInf></TxDtls>`
const camt: StatementFile = {
  format: 'camt.053',
  text: `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt>${entry(
    'CRDT',
    'BOOK',
    '36.49',
    `<NtryDtls>${part('000031.49', '<Nm>Ana Ruiz</Nm>', '<Ustrd>SAUCE: ORD-7F3</Ustrd><Ustrd>K2G</Ustrd>')}${part('5.00', '<Pty><Nm>Bob Tran</Nm></Pty>', '<Strd><CdtrRefInf><Ref>RF18</Ref></CdtrRefInf></Strd>')}</NtryDtls>`,
    '<AddtlNtryInf>ORD-M4QWTD</AddtlNtryInf>',
  )}${entry('CRDT', 'PDNG', '9.00', '')}${entry('DBIT', 'BOOK', '9.00', '')}</Stmt></BkToCstmrStmt></Document>`,
  payments: [
    { ...ana, reference: 'abc/1' },
    { amount: 500, note: 'RF18', payerName: 'Bob Tran', reference: 'abc/2' },
  ],
  skipped: 2,
}

const mt940: StatementFile = {
  format: 'mt940',
  text: `:20:START\r\n:25:120\r\n:60F:C261231USD1000,00\r\n:61:2701021231CR31,49NTRFNONREF//abc123\r
:86:166?00GUTSCHRIFT?20SVWZ+SAUCE: ORD-7F3?21K2G?31DE02?32Ana Ruiz\r\n:61:2701020102DR12,NMSC341241773/1XXXXX\r\n:86:Fee\r
:61:261119C00,01FMSCNONREF\r\nTRANSFER-510151a4-4ead\r\n:86:Received money from BOB TRAN with reference x\r\n:62F:C261119USD1,\r\n-\r\n`,
  payments: [
    ana,
    {
      amount: 1,
      note: 'Received money from BOB TRAN with reference x',
      payerName: 'BOB TRAN',
      reference: 'TRANSFER-510151a4-4ead',
    },
  ],
  skipped: 1,
}

export const statementFiles: StatementFile[] = [cashapp, venmo, paypal, chase, bofa, wellsFargo, ofx, camt, mt940]
