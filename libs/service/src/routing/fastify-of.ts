import type { INestApplication } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';

/** The Fastify instance of a Nest app. */
export const fastifyOf = (app: INestApplication): FastifyInstance => app.getHttpAdapter().getInstance() as FastifyInstance;
