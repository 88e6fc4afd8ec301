import type { INestApplication } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';

/** The Fastify instance below a Nest app. */
export const fastifyOf = (app: INestApplication): FastifyInstance => app.getHttpAdapter().getInstance() as FastifyInstance;
