/** One process of a server. It outlives the process that started it. */
export interface Server {
  readonly name: string;
  /** Connection string of its clients. */
  readonly url: string;
  /** Undefined when it does not run. */
  readonly pid: number | undefined;
  /** Starts it on its data unless it runs; resolves when it responds. */
  start(): Promise<void>;
  /** Resolves when it responds; rejects after two minutes and when it has ended. */
  ready(): Promise<void>;
  /** Stops it by SIGTERM, after 20 s by SIGKILL; resolves when it has ended. */
  stop(): Promise<void>;
  /** SIGKILL; resolves when it has ended. Its data stays. */
  kill9(): Promise<void>;
  /** SIGSTOP: it does nothing, and its connections stay open. */
  pause(): Promise<void>;
  /** SIGCONT. */
  resume(): Promise<void>;
  /** Ends it and deletes its data. */
  wipe(): Promise<void>;
  /** Whether it responds in its protocol, within two seconds. */
  answers(): Promise<boolean>;
}

/** All brokers of a cluster at once; the url names all, the pid is the first's. */
export interface Kafka extends Omit<Server, 'name' | 'answers' | 'ready'> {
  readonly brokers: Server[];
}

export interface ServersOptions {
  /** Folder of their data, pids and output; created when missing. It keeps its ports and number of brokers. */
  dir: string;
  /** On which they listen and which they tell to clients; the folder keeps it. Default 127.0.0.1. */
  address?: string;
  /** 1 or 3; default 1. */
  brokers?: number;
  /** First port of each; 0: free ones. Default 19092, 27017, 2113. */
  ports?: { kafka?: number; mongo?: number; 'event-store'?: number };
  /** Names: kafka, mongo, event-store, and kafka-1 … for one broker. Default all. */
  only?: string[];
  /** Receives progress messages of a start. Default: stderr. */
  log?: (text: string) => void;
}

export interface Servers {
  kafka: Kafka;
  mongo: Server;
  eventStore: Server;
  /** KAFKA_BROKERS, MONGODB_URL, EVENT_STORE_URL of the chosen servers. */
  env: Record<string, string>;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Stops them and deletes what they have stored. */
  wipe(): Promise<void>;
}

/** Starts the servers of a folder; resolves when all respond. */
export function startServers(options: ServersOptions): Promise<Servers>;

/** The servers of a folder, without starting any. */
export function openServers(options: ServersOptions): Promise<Servers>;
