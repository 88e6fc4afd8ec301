// The whole configuration of a node that is both broker and controller.

/**
 * @param {{ address: string, id: number, nodes: { port: number, controllerPort: number }[], data: string }} broker ids count from 1
 * @returns {string} server.properties
 */
export function properties({ address, id, nodes, data }) {
  const { port, controllerPort } = nodes[id - 1];
  const copies = Math.min(3, nodes.length);
  const enough = copies > 2 ? 2 : 1;
  return `process.roles=broker,controller
node.id=${id}
controller.quorum.voters=${nodes.map((node, i) => `${i + 1}@${address}:${node.controllerPort}`).join(',')}
controller.listener.names=CONTROLLER
listeners=PLAINTEXT://${address}:${port},CONTROLLER://${address}:${controllerPort}
advertised.listeners=PLAINTEXT://${address}:${port}
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
inter.broker.listener.name=PLAINTEXT
log.dirs=${data}

# What production has too: no topic by accident, nothing acknowledged lost with one broker.
auto.create.topics.enable=false
default.replication.factor=${copies}
min.insync.replicas=${enough}
unclean.leader.election.enable=false

# Internal topics, of a size for one machine.
offsets.topic.replication.factor=${copies}
offsets.topic.num.partitions=5
transaction.state.log.replication.factor=${copies}
transaction.state.log.min.isr=${enough}
transaction.state.log.num.partitions=5
share.coordinator.state.topic.replication.factor=${copies}
share.coordinator.state.topic.min.isr=${enough}
share.coordinator.state.topic.num.partitions=1

# Quick to start, to rebalance, to notice a death. A killed broker is refused until its old session is over: 9 s by default.
group.initial.rebalance.delay.ms=0
group.min.session.timeout.ms=1000
broker.session.timeout.ms=3000
broker.heartbeat.interval.ms=500

# Small.
num.network.threads=2
num.io.threads=4
background.threads=2
num.recovery.threads.per.data.dir=1
log.cleaner.dedupe.buffer.size=8388608
log.cleaner.backoff.ms=1000
log.retention.hours=24
`;
}
