import type { INestApplication } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';

export const fastifyOf = (app: INestApplication): FastifyInstance => app.getHttpAdapter().getInstance() as FastifyInstance;
