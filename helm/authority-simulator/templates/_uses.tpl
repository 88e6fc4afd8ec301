{{- define "authority-simulator.uses" -}}
consumes: []
publishes: []
servers: []
calls: {}
callers: [fiscal-submission]
ports: {al-cis: {{ .Values.settings.alCisPort }}, me-efi: {{ .Values.settings.meEfiPort }}, es-verifactu: {{ .Values.settings.esVerifactuPort }}}
{{- end }}
