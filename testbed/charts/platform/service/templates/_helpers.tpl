{{- define "name" -}}
{{ .Release.Name }}-{{ .Chart.Name }}
{{- end }}

{{- define "labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
