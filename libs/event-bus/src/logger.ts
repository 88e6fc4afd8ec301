export interface BusLogger {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
