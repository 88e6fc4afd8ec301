/** One process of a server. It outlives the process that started it. */
export interface Server {
  readonly name: string;
  /** As its clients take it. */
  readonly url: string;
  /** Undefined when it does not run. */
  readonly pid: number | undefined;
  /** Starts it on the data that it has, if it does not run; resolves when it answers. */
  start(): Promise<void>;
  /** Resolves when it answers; rejects after two minutes, and when it has ended. */
  ready(): Promise<void>;
  /** Stops it in its own order; resolves when it is gone, after 20 s by SIGKILL. */
  stop(): Promise<void>;
  /** SIGKILL; resolves when it is gone. Its data stays. */
  kill9(): Promise<void>;
  /** SIGSTOP: it stands still, its connections stay open. */
  pause(): Promise<void>;
  /** SIGCONT. */
  resume(): Promise<void>;
  /** Asks in its own protocol; within two seconds. */
  answers(): Promise<boolean>;
}

/** All brokers of a cluster at once; the url names all, the pid is the first's. */
export interface Kafka extends Omit<Server, 'name' | 'answers' | 'ready'> {
  readonly brokers: Server[];
}

export interface ServersOptions {
  /** Holds their data, pids and output. Made when it is not there; keeps its ports and its number of brokers. */
  dir: string;
  /** 1 or 3; default 1. */
  brokers?: number;
  /** First port of each; 0: free ones. Default 19092, 27017, 2113. */
  ports?: { kafka?: number; mongo?: number; 'event-store'?: number };
  /** Names: kafka, mongo, event-store, and kafka-1 … for one broker. Default all. */
  only?: string[];
  /** Gets what is worth telling while they start. Default: stderr. */
  tell?: (text: string) => void;
}

export interface Servers {
  kafka: Kafka;
  mongo: Server;
  eventStore: Server;
  /** KAFKA_BROKERS, MONGODB_URL, EVENT_STORE_URL of those chosen. */
  env: Record<string, string>;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Stops them and deletes what they have stored. */
  wipe(): Promise<void>;
}

/** The servers of a folder, running and answering. */
export function startServers(options: ServersOptions): Promise<Servers>;

/** The same without starting any. */
export function openServers(options: ServersOptions): Promise<Servers>;
