{{- define "labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/* How fast a simulated pod starts; a real one takes no notice. */}}
{{- define "startup" -}}
pod-create.stage.kwok.x-k8s.io/delay: 100ms
pod-create.stage.kwok.x-k8s.io/jitter-delay: 100ms
pod-ready.stage.kwok.x-k8s.io/delay: {{ printf "%vs" . | quote }}
pod-ready.stage.kwok.x-k8s.io/jitter-delay: {{ printf "%vs" . | quote }}
pod-complete.stage.kwok.x-k8s.io/delay: {{ printf "%vs" . | quote }}
pod-complete.stage.kwok.x-k8s.io/jitter-delay: {{ printf "%vs" . | quote }}
{{- end }}

{{/* What sends a pod to the testbed's real node, which runs what it is told; the simulated one runs nothing. */}}
{{- define "node" -}}
{{- if eq . "real" -}}
nodeSelector: { slipway.dev/node: real }
tolerations: [{ key: slipway.dev/node, operator: Exists }]
{{- end }}
{{- end }}
