{{/* A Job that runs as a hook: its name, what it says, when it runs, and whether it fails. */}}
{{- define "hook" -}}
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ .root.Release.Name }}-{{ .name }}
  labels:
    app.kubernetes.io/instance: {{ .root.Release.Name }}
    app.kubernetes.io/component: {{ .name }}
  annotations:
    helm.sh/hook: {{ .when }}
    helm.sh/hook-delete-policy: before-hook-creation
spec:
  backoffLimit: 0
  template:
    metadata:
      labels:
        app.kubernetes.io/component: {{ .name }}
        {{- if .fail }}
        slipway.dev/testbed-fail: "true"
        {{- end }}
      annotations:
        pod-create.stage.kwok.x-k8s.io/delay: 100ms
        pod-create.stage.kwok.x-k8s.io/jitter-delay: 100ms
        pod-ready.stage.kwok.x-k8s.io/delay: 500ms
        pod-ready.stage.kwok.x-k8s.io/jitter-delay: 500ms
        pod-complete.stage.kwok.x-k8s.io/delay: {{ printf "%vs" .root.Values.hooks.seconds | quote }}
        pod-complete.stage.kwok.x-k8s.io/jitter-delay: {{ printf "%vs" .root.Values.hooks.seconds | quote }}
    spec:
      restartPolicy: Never
      containers:
        - name: {{ .name }}
          image: busybox:1.37
          command: [sh, -c, 'echo {{ .says }}; sleep {{ .root.Values.hooks.seconds }}; exit {{ ternary 1 0 .fail }}']
{{- end }}
