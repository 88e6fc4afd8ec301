{{- /*
The addresses of the simulator that is in the same release: none. The chart of the simulator defines them again, and Helm takes what stands in the folder with the
shorter path. So they are there exactly where that chart is.
*/}}
{{- define "service.simulatorOfRelease" -}}
{{- end }}

{{- define "service.nationalOfRelease" -}}
{{- end }}
