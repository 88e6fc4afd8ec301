{{- define "fiscal-submission.uses" -}}
group: fiscal-submission
consumes: [invoicing.registration]
publishes: [fiscal.registration]
alsoPublishes: [audit.setting]
servers: [kafka, mongodb, eventStore]
calls: { authority-simulator: [SIMULATOR_URL, AL_CIS_TEST_URL, ME_EFI_TEST_URL, ES_VERIFACTU_TEST_URL] }
callers: [gateway]
{{- end }}
