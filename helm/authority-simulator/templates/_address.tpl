{{- /* Where the other charts of the release find this one. Another name or port is in their settings.simulatorUrl. */}}
{{- define "service.simulatorOfRelease" -}}
http://authority-simulator:3002
{{- end }}
