#!/usr/bin/env bash
# A real node: containerd, kubelet and kube-proxy, as the first process of PID, mount and network namespaces of its own.
# Whatever they start, mount and set up in the network is gone when this process is, however it ends; the machine itself
# sees a process, and folders in the cluster's data.
#   bash init.sh DATA KUBELET KUBE_PROXY CNI_PLUGINS KUBELET_PORT CGROUP
# The network outside is slirp's (10.0.2.2 is the machine's loopback), which is told to us by its own end.
set -euo pipefail

DATA="$1" KUBELET="$2" KUBE_PROXY="$3" CNI_PLUGINS="$4" KUBELET_PORT="$5" CGROUP="$6"
NODE="$DATA/node"
SOCKET="$NODE/containerd.sock"
LOOPBACK_OUTSIDE=10.0.2.2 OWN_ADDRESS=10.0.2.100 NAME_SERVER=10.0.2.3
PODS=10.244.0.0/16

# ---- the machine as these programs see it -------------------------------------------------------------------

# What they write outside their folders (network namespaces, locks, links to logs) goes with us.
mkdir -p /var/lib/cni
for folder in /run /var/log /var/lib/cni; do mount -t tmpfs tmpfs "$folder"; done

resolver="$(readlink -m /etc/resolv.conf)"
echo "nameserver $NAME_SERVER" >"$NODE/resolv.conf"
case "$resolver" in
  /run/*) mkdir -p "${resolver%/*}" && cp "$NODE/resolv.conf" "$resolver" ;;
  *) [ ! -f "$resolver" ] || mount --bind "$NODE/resolv.conf" "$resolver" ;;
esac

# The kubelet insists on these and would set them for the whole machine; here it finds them as it wants them.
while read -r name value; do
  if [ ! -f "/proc/sys/$name" ]; then continue; fi
  echo "$value" >"$NODE/${name//\//.}"
  mount --bind "$NODE/${name//\//.}" "/proc/sys/$name"
done <<END
vm/overcommit_memory 1
vm/panic_on_oom 0
kernel/panic 10
kernel/panic_on_oops 1
kernel/keys/root_maxkeys 1000000
kernel/keys/root_maxbytes 25000000
END

ip link set lo up
echo 1 >/proc/sys/net/ipv4/ip_forward
until ip -4 -oneline address show dev tap0 2>/dev/null | grep -qF "$OWN_ADDRESS"; do sleep 0.05; done

# Containers are below this one, which is removed by its name afterwards.
for hierarchy in /sys/fs/cgroup /sys/fs/cgroup/*; do
  if [ -f "$hierarchy/cgroup.procs" ]; then mkdir -p "$hierarchy/$CGROUP"; fi
done

# ---- what they are told -------------------------------------------------------------------------------------

mkdir -p "$NODE/cni" "$NODE/pods"
(umask 077 && touch "$NODE/kubeconfig")
sed "s,https://127.0.0.1:,https://$LOOPBACK_OUTSIDE:," "$DATA/node.kubeconfig" >"$NODE/kubeconfig"

# ptp and not bridge: from pod to pod by way of a Service works without the kernel's bridge filter.
cat >"$NODE/cni/10-pods.conflist" <<END
{ "cniVersion": "0.4.0", "name": "pods", "plugins": [
  { "type": "ptp", "ipMasq": true,
    "ipam": { "type": "host-local", "dataDir": "/run/cni-addresses",
              "ranges": [[{ "subnet": "$PODS" }]], "routes": [{ "dst": "0.0.0.0/0" }] } } ] }
END

cat >"$NODE/containerd.toml" <<END
version = 2
root = "$NODE/containerd"
state = "/run/containerd"
disabled_plugins = ["io.containerd.snapshotter.v1.zfs", "io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.devmapper", "io.containerd.snapshotter.v1.aufs", "io.containerd.tracing.processor.v1.otlp"]
[grpc]
address = "$SOCKET"
[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = "testbed/pause:1"
# Not every machine lets its root lower the score.
restrict_oom_score_adj = true
[plugins."io.containerd.grpc.v1.cri".cni]
bin_dir = "$CNI_PLUGINS"
conf_dir = "$NODE/cni"
[plugins."io.containerd.grpc.v1.cri".containerd]
snapshotter = "overlayfs"
default_runtime_name = "runc"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
BinaryName = "runc"
END

# No QoS cgroups and no evictions: the machine is not the node's alone.
cat >"$NODE/kubelet.yaml" <<END
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
port: $KUBELET_PORT
authentication:
  anonymous: { enabled: false }
  webhook: { enabled: false }
  x509: { clientCAFile: "$DATA/kubelet-client.crt" }
authorization: { mode: AlwaysAllow }
containerRuntimeEndpoint: "unix://$SOCKET"
podLogsDir: "$NODE/pods"
resolvConf: "$NODE/resolv.conf"
# Services have no names here; this keeps the kubelet from saying so of every pod.
clusterDNS: [$NAME_SERVER]
clusterDomain: cluster.local
volumePluginDir: "$NODE/plugins"
registerWithTaints: [{ key: slipway.dev/node, value: real, effect: NoSchedule }]
cgroupDriver: cgroupfs
cgroupRoot: "/$CGROUP"
cgroupsPerQOS: false
enforceNodeAllocatable: []
failCgroupV1: false
failSwapOn: false
evictionHard: {}
imageGCHighThresholdPercent: 100
serializeImagePulls: false
END

# ---- what runs ----------------------------------------------------------------------------------------------

declare -A RUNNING

# start NAME COMMAND…
start() {
  local name="$1"
  shift
  "$@" >"$NODE/$name.log" 2>&1 </dev/null &
  RUNNING[$name]=$!
}

# still: fails, and says why, when one of them has ended.
still() {
  local name status=0
  for name in "${!RUNNING[@]}"; do
    if kill -0 "${RUNNING[$name]}" 2>/dev/null; then continue; fi
    echo "$name ended; the end of its log:"
    tail -n 15 "$NODE/$name.log"
    status=1
  done
  return $status
}

start containerd containerd --config "$NODE/containerd.toml"
until ctr --address "$SOCKET" version >/dev/null 2>&1; do
  still || exit 1
  sleep 0.05
done
ctr --address "$SOCKET" --namespace k8s.io images import "$NODE/busybox.tar"

# The node's name is an address too: it is how the API server reaches the kubelet, on the machine's loopback.
start kubelet "$KUBELET" --config "$NODE/kubelet.yaml" --kubeconfig "$NODE/kubeconfig" --root-dir "$NODE/kubelet" \
  --cert-dir "$NODE/certificates" --hostname-override localhost --node-ip "$OWN_ADDRESS" \
  --node-labels slipway.dev/node=real
start kube-proxy "$KUBE_PROXY" --kubeconfig "$NODE/kubeconfig" --hostname-override localhost --proxy-mode iptables \
  --cluster-cidr "$PODS" --conntrack-max-per-core 0 --bind-address "$OWN_ADDRESS"

# Bash reaps whatever is orphaned here meanwhile, as a first process must.
while still; do wait -n || true; done
exit 1
