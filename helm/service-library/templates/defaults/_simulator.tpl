{{- /*
The address of the simulator that is in the same release: none. The chart of the simulator defines it again, and Helm takes what stands in the folder with the
shorter path. So it is there exactly where that chart is.
*/}}
{{- define "service.simulatorOfRelease" -}}
{{- end }}
