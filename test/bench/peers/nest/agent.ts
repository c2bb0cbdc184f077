/**
 * The same agent as a NestJS WebSocket gateway with a ValidationPipe. It is compiled by the bench into the folder of
 * the peers, as its libraries are there.
 */
import 'reflect-metadata';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Module, UsePipes, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { WsAdapter } from '@nestjs/platform-ws';
import { ConnectedSocket, MessageBody, SubscribeMessage, WebSocketGateway } from '@nestjs/websockets';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsEnum,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';

enum Seating {
  Indoor = 'indoor',
  Terrace = 'terrace',
  Bar = 'bar',
}

class Guest {
  @IsString() @MinLength(1) @MaxLength(80) name!: string;
  @IsOptional() @Matches(/^\+[1-9]\d{7,14}$/) phone?: string;
}

class Dish {
  @IsString() @MaxLength(60) name!: string;
  @IsInt() @Min(1) @Max(20) count!: number;
}

class BookTable {
  @Matches(/^\d{4}-\d{2}-\d{2}$/) date!: string;
  @Matches(/^\d{2}:\d{2}$/) time!: string;
  @IsInt() @Min(1) @Max(12) partySize!: number;
  @IsEnum(Seating) seating!: Seating;
  @ValidateNested() @Type(() => Guest) guest!: Guest;
  @IsArray() @ArrayMaxSize(20) @ValidateNested({ each: true }) @Type(() => Dish) dishes!: Dish[];
}

const { book, bookTableDeclaration, SAY_TEXT, SYSTEM_PROMPT } = require(process.env.BENCH_BOOKING as string);

@WebSocketGateway()
class BookingGateway {
  readonly #heardCharacters = new WeakMap<object, number>();

  @SubscribeMessage('session.start')
  start(): object {
    return {
      type: 'session.accept',
      version: 1,
      tools: [bookTableDeclaration],
      system_prompt: SYSTEM_PROMPT,
      events: ['bot.text', 'user.text'],
    };
  }

  @SubscribeMessage('tool.call:book_table')
  @UsePipes(new ValidationPipe({ transform: true, whitelist: true, forbidNonWhitelisted: true }))
  bookTable(@MessageBody('arguments') booking: BookTable, @MessageBody() message: { id: number }): object {
    return { type: 'tool.result', id: message.id, result: book(booking) };
  }

  @SubscribeMessage('bot.text')
  botText(@MessageBody('text') text: string, @ConnectedSocket() client: object): void {
    this.#heardCharacters.set(client, (this.#heardCharacters.get(client) ?? 0) + text.length);
  }

  @SubscribeMessage('user.text')
  userText(@MessageBody('seq') seq: number, @ConnectedSocket() client: object): object {
    this.#heardCharacters.set(client, 0);
    return { type: 'say', text: SAY_TEXT, re: seq };
  }
}

@Module({ providers: [BookingGateway] })
class AppModule {}

/** A message's type is the name of Nest's event; a tool call's name belongs to it. */
function parse(data: unknown): { event: string; data: unknown } {
  const message = JSON.parse(String(data));
  return { event: message.type === 'tool.call' ? `tool.call:${message.name}` : message.type, data: message };
}

async function main(): Promise<void> {
  const application = await NestFactory.create(AppModule, { logger: ['error'] });
  application.useWebSocketAdapter(new WsAdapter(application, { messageParser: parse }));
  const server: Server = application.getHttpServer();
  await application.listen(0, '127.0.0.1');
  const { user, system } = process.cpuUsage();
  process.stdout.write(`LISTENING ${(server.address() as AddressInfo).port} ${(user + system) / 1_000}\n`);
}

void main();
