{{- define "fiscal-submission.uses" -}}
group: fiscal-submission
consumes: [invoicing.registration]
publishes: [fiscal.registration]
alsoPublishes: [audit.setting]
servers: [kafka, mongodb, eventStore]
calls: { authority-simulator: SIMULATOR_URL }
callers: [gateway]
{{- end }}
