// Nest with its defaults: Express, ValidationPipe with class-validator, no store. Decorators are applied as functions, so no build is needed.
import 'reflect-metadata';
import { Body, Controller, Module, Post, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsNumber, IsOptional, IsString, Matches, MaxLength, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';

const decorate = (target, name, type, ...decorators) => {
  Reflect.defineMetadata('design:type', type, target.prototype, name);
  for (const decorator of decorators) decorator(target.prototype, name);
};
class Item {}
decorate(Item, 'description', String, IsString(), MaxLength(2000));
for (const name of ['quantity', 'unit_price', 'tax_rate']) decorate(Item, name, Number, IsOptional(), IsNumber());
class CreateInvoice {}
decorate(CreateInvoice, 'customer_id', String, IsString(), MaxLength(255));
decorate(CreateInvoice, 'currency', String, IsOptional(), Matches(/^[A-Z]{3}$/));
decorate(CreateInvoice, 'notes', String, IsOptional(), IsString(), MaxLength(2000));
decorate(
  CreateInvoice,
  'items',
  Array,
  IsArray(),
  ArrayMinSize(1),
  ArrayMaxSize(500),
  ValidateNested({ each: true }),
  Type(() => Item),
);

class Invoices {
  create(body) {
    return {
      id: 'inv_1',
      object: 'invoice',
      status: 'draft',
      created_at: new Date().toISOString(),
      total: 361.8,
      ...body,
      items: body.items.map((item) => ({ ...item, amount: item.quantity * item.unit_price })),
    };
  }
}
Reflect.defineMetadata('design:paramtypes', [CreateInvoice], Invoices.prototype, 'create');
Body()(Invoices.prototype, 'create', 0);
Post('invoices')(Invoices.prototype, 'create', Object.getOwnPropertyDescriptor(Invoices.prototype, 'create'));
Controller('v1')(Invoices);
class App {}
Module({ controllers: [Invoices] })(App);

const app = await NestFactory.create(App, { logger: false });
app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true }));
await app.listen(Number(process.env.PORT), '127.0.0.1');
