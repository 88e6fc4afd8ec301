{{- /* Where the other charts of the release find this one. Another name or port is in their settings.simulatorUrl, settings.alCisTestUrl and so on. */}}
{{- define "service.simulatorOfRelease" -}}
http://authority-simulator:3002
{{- end }}

{{- define "service.nationalOfRelease" -}}
AL_CIS_TEST_URL: https://authority-simulator:3003
ME_EFI_TEST_URL: https://authority-simulator:3004
ES_VERIFACTU_TEST_URL: https://authority-simulator:3005
{{- end }}
